import type { Transform } from 'node:stream'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'

// How answers are compressed. The levels are measured (docs/decisions/0080).

export type Coding = 'zstd' | 'br' | 'gzip'

/** The codings in our order: zstd needs a third of the time of the others for the same size. */
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']

/** A window of 512 KiB. With the default window, a stream would need 3.5 MB of memory instead of 2 MB. */
const WINDOW_BITS = 19
const ZSTD = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: WINDOW_BITS }
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS }

export const PACKING: { readonly [coding in Coding]: ReturnType<typeof packing> } = {
  zstd: packing(zstdCompressSync, createZstdCompress, { params: ZSTD }, constants.ZSTD_e_flush),
  br: packing(brotliCompressSync, createBrotliCompress, { params: BROTLI }, constants.BROTLI_OPERATION_FLUSH),
  gzip: packing(gzipSync, createGzip, { level: 6 }, constants.Z_SYNC_FLUSH),
}

/** The bytes that a stream for a whole body yields at once. Small pieces would need many turns of the event loop. */
const PIECE = 65_536

function packing<Options extends object>(
  atOnce: (bytes: Uint8Array, options: Options) => Uint8Array,
  stream: (options: Options) => Transform,
  options: Options,
  flush: number,
) {
  return {
    atOnce: (bytes: Uint8Array) => atOnce(bytes, options),
    whole: () => stream({ ...options, chunkSize: PIECE }),
    /** A stream that yields after each write everything that a client needs to read it. */
    flushing: () => stream({ ...options, flush }),
  }
}
