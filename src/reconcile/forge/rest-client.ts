import type { Io } from '../../shell/io.ts'
import { LONGEST_WAIT, waitBefore } from './refusals.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject, parseJson } from '../../lib/json.ts'

/** An unsuccessful answer of a forge, in the form of the errors of GitHub's client. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError'
  readonly status: number
  readonly response: { readonly headers: { readonly [name: string]: string | undefined }; readonly data: unknown }

  constructor(status: number, headers: Headers, data: unknown) {
    super(`the answer has the status ${status}`)
    this.status = status
    this.response = { headers: Object.fromEntries(headers), data }
  }
}

/** No answer arrived, or only a part of one. The status does not come from the forge. */
class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
  readonly status = 500
}

export interface RestClient {
  get(path: string): Promise<unknown>
  /** All pages of a list. */
  list(path: string): Promise<readonly unknown[]>
  /** Sends a request that changes something. It never retries: the caller must check first whether it succeeded. */
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown>
}

interface RestOptions {
  readonly apiUrl: string
  readonly headers: { readonly [name: string]: string }
  /** The query parameter for the size of a page, and the largest size. */
  readonly page: { readonly size: string; readonly most: number }
}

const MOST_TRIES = 3
const MOST_PAGES = 1_000

/** A client of the REST API of a forge. It retries reads if the forge fails or asks to wait. */
export function restClient(
  { apiUrl, headers, page }: RestOptions,
  io: Pick<Io, 'fetch' | 'now' | 'signal' | 'wait'>,
): RestClient {
  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = {
      method,
      headers: { accept: 'application/json', 'user-agent': 'holdfast', ...headers, ...type },
      ...text,
    }
    const request = new Request(`${apiUrl}${path}`, { ...init, redirect: 'manual', signal: io.signal })
    const unanswered = (error: unknown) => {
      throw io.signal.aborted ? error : new UnansweredError(`${apiUrl} does not answer`, { cause: error })
    }
    const response = await io.fetch(request).catch(unanswered)
    if (!response.ok) throw new ForgeError(response.status, response.headers, await response.json().catch(() => null))
    const data = await response.text().then(jsonIn).catch(unanswered)
    return { data, hasMore: /\brel="?next"?/.test(response.headers.get('link') ?? '') }
  }
  async function read(path: string): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask('GET', path)
      } catch (error) {
        const seconds = waitBefore(error, io.now())
        if (io.signal.aborted || tries === MOST_TRIES || seconds === null || seconds > LONGEST_WAIT) throw error
        await io.wait(Math.max(seconds, tries) * 1_000)
      }
    }
  }
  return {
    get: async (path) => (await read(path)).data,
    async list(path) {
      const all: unknown[] = []
      for (let number = 1; number <= MOST_PAGES; number += 1) {
        const query = `${path.includes('?') ? '&' : '?'}page=${number}&${page.size}=${page.most}`
        const { data, hasMore } = await read(`${path}${query}`)
        if (!Array.isArray(data)) throw strange(['a list'])
        all.push(...(data as readonly unknown[]))
        if (!hasMore) break
      }
      return all
    },
    send: async (method, path, body) => (await ask(method, path, body)).data,
  }
}

/** Parses the body. The answer to a write may be empty. */
function jsonIn(text: string): unknown {
  return text === '' ? null : parseJson(text)
}

interface Answer {
  readonly data: unknown
  readonly hasMore: boolean
}

// The following functions read single members of a forge's answers, and ignore all others.

export function textIn(value: unknown, ...path: readonly string[]): string {
  const found = memberOf(value, path)
  if (typeof found === 'string') return found
  throw strange(path)
}

export function numberIn(value: unknown, ...path: readonly string[]): number {
  const found = memberOf(value, path)
  if (typeof found === 'number') return found
  throw strange(path)
}

export function memberOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner: unknown, name) => (isObject(inner) ? inner[name] : undefined), value)
}

function strange(path: readonly string[]): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    `the forge answers without ${path.join('.')}; is its API at the usual address?`,
  )
}
