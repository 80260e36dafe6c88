export function isEncrypted(url: string): boolean {
  return new URL(url).protocol === 'https:'
}

/** What is sent there leaves this machine by no cable. */
export function isOfThisMachine(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}
