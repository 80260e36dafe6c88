/** `an integer`, `a string`. A `u` is taken for the beginning of `uuid`, `user` and `unit`. */
export function withArticle(noun: string): string {
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`
}
