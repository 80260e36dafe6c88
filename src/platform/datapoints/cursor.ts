/** X-Service-Change: the number of the flush that stored a batch. Opaque to clients, so that it may become more. */
export function cursorOf(generation: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(generation))
  return bytes.toString('base64url')
}
