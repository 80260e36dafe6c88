import { beforeEach, expect, it } from 'vitest'
import { sqlState } from '../../src/db/sql-error.ts'
import type { Subject } from './sql.ts'

const INTO = 'COPY copied (n, text) FROM STDIN'

function lines(...rows: (readonly [n: number | string, text: string])[]): Uint8Array {
  return new TextEncoder().encode(rows.map(([n, text]) => `${n}\t${text}\n`).join(''))
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('should have failed'),
    (error: unknown) => error,
  )
}

export function testCopies(subject: Subject): void {
  const stored = () => subject.select(`(SELECT string_agg(n || text, ',' ORDER BY n) FROM copied)`)

  beforeEach(async () => {
    await subject.database.script('DROP TABLE IF EXISTS copied; CREATE TABLE copied (n int UNIQUE, text text)')
  })

  it('a copy is kept with its transaction', async () => {
    await copyIn(subject, INTO, lines([1, 'a'], [2, 'ü']))
    expect(await stored()).toBe('1a,2ü')
  })

  it('is all or nothing, and the next one works', async () => {
    expect(sqlState(await failureOf(copyIn(subject, INTO, lines([1, 'a'], ['x', 'b']))))).toBe('22P02')
    expect(sqlState(await failureOf(copyIn(subject, INTO, lines([1, 'a'], [1, 'b']))))).toBe('23505')
    expect(sqlState(await failureOf(copyIn(subject, 'COPY nowhere FROM STDIN', lines([1, 'a']))))).toBe('42P01')
    expect(await stored()).toBeNull()
    await copyIn(subject, INTO, lines([3, 'c']))
    expect(await stored()).toBe('3c')
  })

  it('belongs to its transaction, in and out', async () => {
    const written = await subject.database.transaction(async (sql) => {
      await sql.query(`INSERT INTO copied VALUES (1, 'a')`)
      await sql.copyIn(INTO, lines([2, 'b']))
      return sql.copyOut('COPY (SELECT n, text FROM copied ORDER BY n) TO STDOUT')
    })
    expect(new TextDecoder().decode(written)).toBe('1\ta\n2\tb\n')
    const undone = subject.database.transaction(async (sql) => {
      await sql.copyIn(INTO, lines([3, 'c']))
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    expect(await stored()).toBe('1a,2b')
  })

  it('a failed one fails its transaction', async () => {
    const failed = subject.database.transaction(async (sql) => {
      await sql.query(`INSERT INTO copied VALUES (1, 'a')`)
      await sql.copyIn(INTO, lines([1, 'b']))
    })
    expect(sqlState(await failureOf(failed))).toBe('23505')
    expect(await stored()).toBeNull()
  })

  it('takes and gives megabytes, also nothing', async () => {
    const text = 'x'.repeat(1000)
    await copyIn(subject, INTO, lines(...Array.from({ length: 10_000 }, (_, n) => [n, text] as const)))
    await copyIn(subject, INTO, new Uint8Array())
    expect(await subject.select('(SELECT sum(length(text)) FROM copied)')).toBe(10_000_000)
    const written = await subject.database.transaction((sql) => sql.copyOut('COPY copied (text) TO STDOUT'))
    expect(written).toHaveLength(10_010_000)
    const nothing = await subject.database.transaction((sql) => sql.copyOut('COPY copied TO STDOUT'))
    expect(nothing.length).toBeGreaterThan(0)
    await subject.database.script('DELETE FROM copied')
    expect(await subject.database.transaction((sql) => sql.copyOut('COPY copied TO STDOUT'))).toHaveLength(0)
  })
}

function copyIn({ database }: Subject, text: string, data: Uint8Array): Promise<void> {
  return database.transaction((sql) => sql.copyIn(text, data))
}
