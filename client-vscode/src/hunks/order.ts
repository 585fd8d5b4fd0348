/** What makes an act wait until those before it are done, also when one of them fails. */
export type OneAtATime = <Given extends unknown[]>(
  act: (...given: Given) => Promise<void>,
) => (...given: Given) => Promise<void>;

/** Keys may come faster than the cursor moves: each acts where the one before it has led. */
export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (act) =>
    (...given) => {
      const done = last.then(() => act(...given));
      // A failure is told to whom the act belongs to; the next one only waits for it.
      last = Promise.allSettled([done]);
      return done;
    };
}
