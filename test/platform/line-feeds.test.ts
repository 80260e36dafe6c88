import { expect, test } from 'vitest'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { readDomain } from '../../src/store/domains.ts'
import { toLines } from '../../src/store/lines.ts'
import { fetchRecords } from '../../src/store/model/records.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()
const ANYWHERE = { systemUuid: null, units: null }

test('a key with a line feed names no record', async () => {
  const context = domain()
  await createRecord(context, 'services', { code: 'a', name: 'A' }, [])
  const find = (key: string) => findRecord(context, ANYWHERE, 'services', key)
  expect(await find('a\nb')).toBeNull()
  await expect(deleteRecord(context, 'services', 'a\nb', [])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(updateRecord(context, 'services', 'a\nb', {}, [])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const both = ['x\na', 'a'].map((key) => ({ type: 'services', key }) as const)
  const found = await readDomain(context.database, context.domain.id, (sql) =>
    fetchRecords(sql, context.domain.id, both),
  )
  expect(found.map(({ key }) => key)).toEqual(['a'])
  expect((await find('a'))?.key).toBe('a')
})

test('a value with a line feed never becomes two lines', () => {
  expect(() => toLines(['a', 'b\nc'])).toThrow('line feed')
})
