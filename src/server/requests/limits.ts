/**
 * The limits of requests. A larger request is refused with the limit's name, and never cut off.
 */
export interface Limits {
  /** The bytes of a GraphQL request with the right to plan or apply, because it contains the import document. */
  readonly importDocumentBytes: number
  /** The bytes of any other GraphQL request. */
  readonly requestBytes: number
  /** The bytes of a batch of datapoints, after decompression. */
  readonly batchBytes: number
  /** The bytes of batches that one process stores at once; the batch that reaches the limit is still accepted. */
  readonly storingBytes: number
  readonly storingBytesOfAccount: number
  /** The bytes of the bodies of other requests that one process holds at once. Each has up to `requestBytes`. */
  readonly requestsBytes: number
  readonly requestsBytesOfAccount: number
  /**
   * The bytes of larger bodies that one process holds at once. They contain an import document, and count until they
   * are answered.
   */
  readonly documentsBytes: number
  readonly documentsBytesOfAccount: number
  /** The bytes of answers that their clients have not read yet; the answer that reaches the limit is still given. */
  readonly unreadBytes: number
  readonly unreadBytesOfAccount: number
  readonly batchPoints: number
  /**
   * The values of a batch: each member of an object and each element of a list, including those inside of JSON
   * values.
   */
  readonly batchValues: number
  /** The requests that wait for setpoints at once, in one process. */
  readonly waitingPolls: number
  readonly waitingPollsOfAccount: number
  /** The subscriptions that are open at once, in one process. */
  readonly streams: number
  readonly streamsOfAccount: number
  /** The limit of what may wait for the reader of one subscription, in points (src/platform/changes/feed.ts). */
  readonly streamBacklog: number
}

const MEBIBYTE = 1_048_576

export const DEFAULT_LIMITS: Limits = {
  importDocumentBytes: 64 * MEBIBYTE,
  requestBytes: MEBIBYTE,
  batchBytes: 16 * MEBIBYTE,
  storingBytes: 128 * MEBIBYTE,
  storingBytesOfAccount: 64 * MEBIBYTE,
  requestsBytes: 128 * MEBIBYTE,
  requestsBytesOfAccount: 32 * MEBIBYTE,
  documentsBytes: 256 * MEBIBYTE,
  documentsBytesOfAccount: 128 * MEBIBYTE,
  unreadBytes: 512 * MEBIBYTE,
  unreadBytesOfAccount: 256 * MEBIBYTE,
  batchPoints: 10_000,
  batchValues: 150_000,
  waitingPolls: 1_000,
  waitingPollsOfAccount: 250,
  streams: 1_000,
  streamsOfAccount: 100,
  streamBacklog: 1_000_000,
}

/** `64 MiB` or `1,000 bytes` */
export function sizeText(bytes: number): string {
  return bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${bytes.toLocaleString('en-US')} bytes`
}
