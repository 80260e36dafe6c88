/** Limits of requests (contract, section 4). What is larger is refused with the limit's name, never cut off. */
export interface Limits {
  /** Bytes of a GraphQL request of those who may plan or apply: the import document is in it. */
  readonly importDocumentBytes: number
  /** Bytes of a GraphQL request of anybody else. */
  readonly requestBytes: number
  /** Bytes of a batch of datapoints, after decompression. */
  readonly batchBytes: number
  readonly batchPoints: number
  /** Values in a batch: each member of an object and each element of a list, those inside of JSON values included. */
  readonly batchValues: number
  /** Requests that wait for setpoints at once, in one process. */
  readonly waitingPolls: number
  readonly waitingPollsOfAccount: number
  /** Subscriptions that are open at once, in one process. */
  readonly streams: number
  readonly streamsOfAccount: number
  /** Changes that wait to be read by one of them. */
  readonly streamBacklog: number
}

const MEBIBYTE = 1_048_576

export const DEFAULT_LIMITS: Limits = {
  importDocumentBytes: 64 * MEBIBYTE,
  requestBytes: MEBIBYTE,
  batchBytes: 16 * MEBIBYTE,
  batchPoints: 10_000,
  batchValues: 150_000,
  waitingPolls: 1_000,
  waitingPollsOfAccount: 250,
  streams: 1_000,
  streamsOfAccount: 100,
  streamBacklog: 100_000,
}

/** `64 MiB`, `1,000 bytes` */
export function sizeText(bytes: number): string {
  return bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${bytes.toLocaleString('en-US')} bytes`
}
