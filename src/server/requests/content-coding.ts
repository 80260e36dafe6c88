import type { Transform } from 'node:stream'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
  type BrotliOptions,
  type ZlibOptions,
  type ZstdOptions,
} from 'node:zlib'

// How answers are compressed. The levels are measured (docs/decisions/0075).

export type Coding = 'zstd' | 'br' | 'gzip'

/** The codings in our order: zstd needs a third of the time of the others for the same size. */
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']

/** A window of 512 KiB. With the usual ones a stream would need 3.5 MB of memory instead of 2 MB. */
const WINDOW_BITS = 19

const ZSTD: ZstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: WINDOW_BITS },
}
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS },
}
const GZIP: ZlibOptions = { level: 6 }

interface Packing {
  readonly atOnce: (bytes: Uint8Array) => Uint8Array
  /** A stream for a whole body. Its pieces are large, so that a large body needs few turns of the event loop. */
  readonly whole: () => Transform
  /** A stream that yields after each write everything that a client needs to read it. */
  readonly flushing: () => Transform
}

const PIECE = 65_536

export const PACKING: { readonly [coding in Coding]: Packing } = {
  zstd: {
    atOnce: (bytes) => zstdCompressSync(bytes, ZSTD),
    whole: () => createZstdCompress({ ...ZSTD, chunkSize: PIECE }),
    flushing: () => createZstdCompress({ ...ZSTD, flush: constants.ZSTD_e_flush }),
  },
  br: {
    atOnce: (bytes) => brotliCompressSync(bytes, BROTLI),
    whole: () => createBrotliCompress({ ...BROTLI, chunkSize: PIECE }),
    flushing: () => createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    atOnce: (bytes) => gzipSync(bytes, GZIP),
    whole: () => createGzip({ ...GZIP, chunkSize: PIECE }),
    flushing: () => createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH }),
  },
}
