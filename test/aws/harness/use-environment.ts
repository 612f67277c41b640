/** Points this process at the emulator, as the SDK's clients read it, until the given undo is called. */
export function useEnvironment(environment: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(environment).map((key) => [key, process.env[key]] as const);
  Object.assign(process.env, environment);
  return () => {
    for (const [key, value] of before)
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
  };
}
