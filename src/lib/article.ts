/** Returns `an integer` or `a string`. It writes `a` before a `u`, as in `uuid`, `user` and `unit`. */
export function withArticle(noun: string): string {
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`
}
