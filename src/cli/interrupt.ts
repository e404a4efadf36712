import { interruptAnswers } from './interruptAnswer.js';

/** How many pieces of work must be let end before an interrupt may end the process. */
let unfinished = 0;

/** Marks work that ends by itself after an interrupt: `pulumi` gets the terminal's signal too, and must keep its state whole. */
export async function letEnd<T>(work: () => Promise<T>): Promise<T> {
  unfinished += 1;
  try {
    return await work();
  } finally {
    unfinished -= 1;
  }
}

/** Ends the process on SIGINT or SIGTERM with 128 + the signal's number, its children with it; a second request does not wait. */
export function installInterrupts(say: (line: string) => void): void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  const answer = interruptAnswers();
  for (const [name, code] of Object.entries(codes)) {
    process.on(name, () => {
      const given = answer(unfinished, performance.now());
      if (given === 'leave') process.exit(code);
      if (given === 'let-end')
        say(`${name}: letting pulumi end what it began, so that its state stays whole; once more to leave at once`);
    });
  }
}
