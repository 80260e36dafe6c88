import { readFileSync } from 'node:fs'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { reasonOfFileError } from '../models/file-error.ts'
import type { JobEvent } from './job.ts'

/** Reads GitHub's description of the event. The names are those of its webhooks. */
export function readEvent(name: string, path: string): JobEvent {
  const payload = readPayload(path)
  const event = pullRequestOf(payload) ?? queueOf(payload)
  return event ?? { kind: 'other', name, before: commitIn(at(payload, 'before')) }
}

/** Where the branch of a pull request began, as Gitea and Forgejo tell it; null where they do not. */
export function mergeBaseIn(path: string): string | null {
  return commitIn(at(readPayload(path), 'pull_request', 'merge_base'))
}

function pullRequestOf(payload: unknown): JobEvent | null {
  const pull = at(payload, 'pull_request')
  const [number, head] = [at(pull, 'number'), at(pull, 'head', 'sha')]
  if (typeof number !== 'number' || typeof head !== 'string') return null
  const [from, to] = [at(pull, 'head', 'repo', 'id'), at(pull, 'base', 'repo', 'id')]
  return { kind: 'pull-request', number, head, isFork: from !== to }
}

/** The branch of a group is named `gh-readonly-queue/main/pr-104-` and a commit. */
function queueOf(payload: unknown): JobEvent | null {
  const [ref, head] = [at(payload, 'merge_group', 'head_ref'), at(payload, 'merge_group', 'head_sha')]
  const number = typeof ref === 'string' ? /\/pr-(\d+)-[0-9a-f]+$/.exec(ref)?.[1] : undefined
  if (number === undefined || typeof head !== 'string') return null
  return { kind: 'queue', number: Number(number), head, base: commitIn(at(payload, 'merge_group', 'base_sha')) }
}

/** GitHub names no commit by zeros. */
function commitIn(value: unknown): string | null {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value) && !/^0+$/.test(value) ? value : null
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
}

function readPayload(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOfFileError(error)
    throw new HoldfastError('BAD_USER_INPUT', `GITHUB_EVENT_PATH ${path} cannot be read: ${reason}`, { cause: error })
  }
}
