// Addresses name the problems of signing in by these words, so that a crafted address cannot make a page show other
// text.

const PROBLEMS = {
  wrong: 'The user name or the password is not right.',
  inactive: 'This way of signing in is not available any more.',
  denied: 'You did not sign in at the other provider.',
  unreachable: 'The other provider does not answer. Try again in a moment.',
  failed:
    'Signing in at the other provider did not work. Try again. If it fails again, tell the operator of this service.',
  stale:
    'The application asks you to sign in again, and the other provider does not confirm that you did. Try again. If it fails again, tell the operator of this service.',
  refused: 'You are signed in at the other provider, but may not sign in here. Ask the operator of this service.',
} as const

export type ProblemWord = keyof typeof PROBLEMS

function isProblemWord(word: string): word is ProblemWord {
  return Object.hasOwn(PROBLEMS, word)
}

export function problemText(word: string | null): string | undefined {
  return word !== null && isProblemWord(word) ? PROBLEMS[word] : undefined
}
