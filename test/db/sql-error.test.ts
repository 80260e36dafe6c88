import { expect, it } from 'vitest'
import { isNodeAway, mayBeKept } from '../../src/db/sql-error.ts'

const error = (severity: string, code: string) => Object.assign(new Error('…'), { severity, code })

it('a statement that failed kept nothing, in whichever language its server says so', () => {
  for (const severity of ['ERROR', 'FEHLER', 'ERREUR'])
    for (const code of ['55P03', '57014', '42P01', '23505', '22021', '54000'])
      expect(mayBeKept(error(severity, code))).toBe(false)
})

it('of a session that was ended nobody knows', () => {
  for (const severity of ['FATAL', 'SCHWERWIEGEND']) expect(mayBeKept(error(severity, '57P01'))).toBe(true)
  expect(mayBeKept(new Error('the connection was lost'))).toBe(true)
})

it.each([
  'server closed the connection unexpectedly\n\tThis probably means …',
  'could not receive data from server: …',
])('a node that ends while it commits is away: %j', (message) => {
  expect(isNodeAway(Object.assign(new Error(message), { code: 'XX000', severity: 'ERROR' }))).toBe(true)
  expect(isNodeAway(new Error(message))).toBe(false)
})
