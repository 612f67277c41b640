import { VirtualClock, Waker } from '../../../../lab/simulator/deterministic/virtual-clock';

describe('the virtual clock', () => {
  test('runs what falls due in the order of time, and at one instant in the order of asking', () => {
    const clock = new VirtualClock(1_000);
    const seen: string[] = [];
    const note = (name: string) => () => seen.push(`${name} ${clock.now()}`);
    clock.after(20, note('late'));
    clock.after(10, note('first'));
    clock.after(10, note('second'));
    clock.advanceTo(1_015);
    expect([seen, clock.now(), clock.nextAt()]).toEqual([['first 1010', 'second 1010'], 1_015, 1_020]);
  });

  test('what is asked for on the way happens on the way', () => {
    const clock = new VirtualClock(0);
    const seen: number[] = [];
    clock.after(10, () => clock.after(5, () => seen.push(clock.now())));
    clock.advanceTo(100);
    expect(seen).toEqual([15]);
  });

  test('does not go back', () => {
    const clock = new VirtualClock(1_000);
    expect(() => clock.advanceTo(999)).toThrow('the clock cannot go back');
  });

  test('a waker runs once however often it is woken', () => {
    const clock = new VirtualClock(0);
    let runs = 0;
    const waker = new Waker(clock, () => {
      runs += 1;
    });
    waker.wake(10);
    waker.wake(5);
    clock.advanceTo(100);
    waker.wake(10);
    clock.advanceTo(200);
    expect(runs).toBe(2);
  });
});
