/** One test: its title, and what happens in it. */
export type Stories = Readonly<Record<string, () => Promise<void>>>;

/** Tests that spend their time waiting for Karpenter: all start at once, and each reports by itself. */
export function testTogether(stories: Stories): void {
  const running = new Map<string, Promise<void>>();

  beforeAll(() => {
    for (const [title, tell] of Object.entries(stories)) {
      const story = tell();
      // Reported by the test of that title, which may come much later.
      story.catch(() => {});
      running.set(title, story);
    }
  });

  test.each(Object.keys(stories))('%s', async (title) => {
    await running.get(title);
  });

  // A story must not go on when the test that waited for it has given up.
  afterAll(() => Promise.allSettled(running.values()));
}
