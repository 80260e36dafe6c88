/** Restricts a text to the characters of an error_description (RFC 6749, section 5.2). */
export function plainText(text: string): string {
  return text.replaceAll('"', `'`).replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
