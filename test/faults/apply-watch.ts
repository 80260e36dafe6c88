import { writeSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

// `node --import` this: the server says on standard error which statement of an apply it is about to send to its
// database, and stops for ever before that of the number PAUSE_AT, with all before it done in an open transaction. It
// hooks into the drivers, so the server itself is the one that runs for others. Counted from 1 within the transaction,
// from where the apply looks for itself, `COMMIT` included; the next number is when that is done and not yet answered.

const PAUSE_AT = Number(process.env['PAUSE_AT'] ?? 0)
const FIRST = /from applies where domain_id = \$1 and uuid = \$2$/
const ENDS = /^(COMMIT|ROLLBACK)$/

/** On this connection the apply has sent so many statements. */
const sent = new WeakMap<object, number>()

type Send = () => unknown

async function watched(connection: object, text: string, send: Send): Promise<unknown> {
  const number = (sent.get(connection) ?? 0) + 1
  sent.set(connection, number)
  await report(number, text)
  const result = await send()
  if (ENDS.test(text)) sent.delete(connection)
  if (text === 'COMMIT') await report(number + 1, 'is committed')
  return result instanceof Answered ? result.passOn() : result
}

async function report(number: number, text: string): Promise<void> {
  writeSync(2, `apply ${number} ${text.trim().split('\n')[0]}\n`)
  if (number !== PAUSE_AT) return
  writeSync(2, `apply paused\n`)
  await new Promise(() => undefined)
}

/** Connections in a transaction that writes: in others somebody only looks whether there is an apply. */
const writing = new WeakSet<object>()

function watch(connection: object, text: string, group: Group | null, send: Send): unknown {
  if (text.startsWith('BEGIN')) {
    if (text.includes('READ WRITE')) writing.add(connection)
    else writing.delete(connection)
  }
  const isApply = sent.has(connection) || (writing.has(connection) && FIRST.test(text.trim()))
  const answered = group === null ? send : () => answerOf(group, send)
  return isApply ? watched(connection, text, answered) : send()
}

/** What goes together is no promise: its answer is held until it is passed on. */
class Answered {
  readonly passOn: () => void
  constructor(passOn: () => void) {
    this.passOn = passOn
  }
}

interface Group {
  handleReadyForQuery(...given: unknown[]): void
  handleError(...given: unknown[]): void
}

function answerOf(group: Group, send: Send): Promise<Answered> {
  return new Promise((resolve) => {
    for (const name of ['handleReadyForQuery', 'handleError'] as const) {
      const handle = group[name].bind(group)
      group[name] = (...given) => resolve(new Answered(() => handle(...given)))
    }
    send()
  })
}

type Method = (this: object, ...given: unknown[]) => unknown

function hook(prototype: object, name: 'query' | 'exec', textOf: (given: unknown) => string | null): void {
  const methods = prototype as { [method: string]: Method }
  const method = methods[name] as Method
  methods[name] = function (...given) {
    const text = textOf(given[0])
    const send = () => method.apply(this, given)
    const group = given[0] !== null && typeof given[0] === 'object' && 'handleReadyForQuery' in given[0]
    return text === null ? send() : watch(this, text, group ? (given[0] as Group) : null, send)
  }
}

const asText = (given: unknown) => (typeof given === 'string' ? given : null)
hook(PGlite.prototype, 'query', asText)
hook(PGlite.prototype, 'exec', asText)
hook(pg.Client.prototype, 'query', (given) => asText(given) ?? asText((given as { text?: unknown }).text))
