import { describe, expect, test } from 'vitest'
import { TEXT } from '../../src/db/columns.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { listApplies, listApplyChanges } from '../../src/platform/imports/history/applies.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { SecretKeeper } from '../../src/platform/secret-keeper.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { changeOf, effects, storedRecords } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'
import { HOLDERS, OTHER, REFERENCE, STRONG } from './secret-holders.ts'

// Semantics, section 5. Only the platform compares secrets, and nothing shows them.

const domain = oneDomain()

describe.each(HOLDERS)('the $field of $type', ({ type, key, field, document }) => {
  const archived = { status: 'ARCHIVED' }
  const secretState = async (next: object) => changeOf(await plan(domain(), next), type, key).secret

  test('is changed on a new record', async () => {
    expect(await secretState(document(STRONG))).toBe('changed')
  })

  test('is a change of its own, and the patch shows neither value', async () => {
    await applyAll(domain(), document(STRONG))
    const change = changeOf(await plan(domain(), document(OTHER)), type, key)
    expect({ secret: change.secret, patch: change.patch }).toEqual({
      secret: 'changed',
      patch: [{ op: 'replace', path: `/${field}`, value: '(secret)' }],
    })
    await applyAll(domain(), document(OTHER))
    expect((await plan(domain(), document(OTHER))).outcome).toBe('no-changes')
    expect(await secretState(document(STRONG))).toBe('changed')
  })

  test('is unchanged where only other fields differ', async () => {
    await applyAll(domain(), document(STRONG))
    expect(await secretState(document(STRONG, archived))).toBe('unchanged')
  })

  test('that is the same is no change', async () => {
    await applyAll(domain(), document(STRONG))
    expect(effects(await plan(domain(), document(STRONG)))).toEqual([])
  })

  test('that is a weak one is compared as well', async () => {
    await applyAll(domain(), document('hunter2'))
    expect(effects(await plan(domain(), document('hunter2')))).toEqual([])
    expect(await secretState(document('hunter3'))).toBe('changed')
  })

  test('of two records with the same text leaves different traces in the database', async () => {
    const [first, second] = [document(STRONG), document(STRONG)].map((one) => Object.values(one)[0]?.[0] as JsonObject)
    const identity = type === 'machineUsers' ? 'username' : 'slug'
    await applyAll(domain(), { [type]: [first, { ...second, [identity]: 'second' }] })
    const digests = (await storedRecords(domain(), [type])).map(({ digest }) => digest)
    const rows = await domain().database.read((sql) =>
      sql.rows({ fingerprint: TEXT }, 'select fingerprint from record_secrets'),
    )
    expect(new Set(rows.map(({ fingerprint }) => fingerprint))).toHaveLength(2)
    expect(new Set(digests)).toHaveLength(2)
  })

  describe('as a reference that is not resolved', () => {
    test('cannot create a record: the plan warns, the apply refuses', async () => {
      const planned = await plan(domain(), document(REFERENCE))
      expect(changeOf(planned, type, key).secret).toBe('not compared')
      expect(planned.diagnostics).toMatchObject([
        { code: 'secret-not-resolved', severity: 'warning', pointer: `/${type}/0/${field}` },
      ])
      const request = { document: document(REFERENCE), settings: NO_SETTINGS, plan: planned, origin: {} }
      await expect(applyImport(domain(), request)).rejects.toMatchObject({
        code: 'BLOCKED',
        details: [{ code: 'secret-not-resolved', key }],
      })
      expect(await storedRecords(domain(), [type])).toEqual([])
    })

    test('is no difference to what is stored', async () => {
      await applyAll(domain(), document(STRONG))
      const planned = await plan(domain(), document(REFERENCE))
      expect(effects(planned)).toEqual([])
      expect(planned.notCompared).toEqual([{ type, key, field, reason: 'not-resolved' }])
      expect(planned.summary).toMatchObject({ unchanged: 0, notCompared: 1 })
      expect((await plan(domain(), document(STRONG))).notCompared).toBeUndefined()
    })

    test('is not compared where other fields differ, and the apply refuses', async () => {
      await applyAll(domain(), document(STRONG))
      expect(await secretState(document(REFERENCE, archived))).toBe('not compared')
      await expect(applyAll(domain(), document(REFERENCE, archived))).rejects.toMatchObject({ code: 'BLOCKED' })
    })
  })

  test('cannot be guessed by planning: after 60 wrong guesses an hour no other is compared', async () => {
    await applyAll(domain(), document(STRONG))
    let now = Date.parse('2026-05-01T10:00:00Z')
    const secrets = new SecretKeeper(new Uint8Array(32).fill(7), () => new Date(now))
    const guess = async (number: number) => {
      const { changes } = await plan({ ...domain(), secrets }, document(`guess-${number}-8Kd02mfPq71LxZr5Tn`, archived))
      return changes[0]?.secret
    }
    for (let number = 1; number <= 60; number += 1) expect(await guess(number)).toBe('changed')
    expect(await guess(61)).toBe('not compared')
    // The same guess again tells nothing new: a rotated secret is planned with every push to its pull request.
    expect(await guess(60)).toBe('changed')
    expect((await plan({ ...domain(), secrets }, document(STRONG))).notCompared).toEqual([
      { type, key, field, reason: 'too-many-guesses' },
    ])
    expect(changeOf(await plan({ ...domain(), secrets }, document(STRONG, archived)), type, key).secret).toBe(
      'not compared',
    )
    now += 61 * 60_000
    expect(await guess(62)).toBe('changed')
    // The clock may also be set back, and then nobody waits until it is as late again.
    for (let number = 63; number <= 122; number += 1) await guess(number)
    expect(await guess(123)).toBe('not compared')
    now -= 24 * 3_600_000
    expect(await guess(123)).toBe('changed')
  })

  test('cannot be guessed by planning under one name after another: the guesses are of one secret', async () => {
    await applyAll(domain(), document(STRONG))
    const secrets = new SecretKeeper(new Uint8Array(32).fill(7), () => new Date('2026-05-01T10:00:00Z'))
    const identity = type === 'machineUsers' ? 'username' : 'slug'
    const guess = async (number: number) => {
      const to = `${key}-${number}`
      const renamed = document(`guess-${number}-8Kd02mfPq71LxZr5Tn`, { [identity]: to })
      const settings = { ...NO_SETTINGS, moved: [{ type, from: key, to }] }
      const planned = await plan({ ...domain(), secrets }, renamed, settings)
      return changeOf(planned, type, to).secret
    }
    for (let number = 1; number <= 60; number += 1) expect(await guess(number)).toBe('changed')
    expect(await guess(61)).toBe('not compared')
  })

  test('that a mutation replaces is drift; one that does not name it keeps it', async () => {
    await applyAll(domain(), document(STRONG))
    await updateRecord(domain(), type, key, archived, [])
    expect(changeOf(await plan(domain(), document(STRONG)), type, key)).toMatchObject({
      cause: 'drift',
      secret: 'unchanged',
    })
    await applyAll(domain(), document(STRONG))
    await updateRecord(domain(), type, key, { [field]: OTHER }, [])
    expect(changeOf(await plan(domain(), document(STRONG)), type, key)).toMatchObject({
      cause: 'drift',
      secret: 'changed',
    })
  })

  test.each([
    ['replaced', document(OTHER)],
    ['deleted', { [type]: [] }],
  ])('that was %s is the old one again after a rollback', async (_, after) => {
    await applyAll(domain(), document(STRONG))
    const hashes = () =>
      domain().database.read((sql) => sql.query('select hash, fingerprint, salt from record_secrets'))
    const earlier = await hashes()
    const { uuid } = await applyAll(domain(), after)
    const settings = acknowledging((await planRollback(domain(), uuid, NO_SETTINGS)).plan)
    const { plan: inverse } = await planRollback(domain(), uuid, settings)
    await applyImport(domain(), { document: {}, settings, plan: inverse, origin: { rollbackOf: uuid } })
    expect(await hashes()).toEqual(earlier)
    expect((await plan(domain(), document(STRONG))).outcome).toBe('no-changes')
  })

  test('stands nowhere: not in plans, history, export, drift or the database', async () => {
    const canaries = ['cAnary+first/secret"\\one 8Kd02mfPq7', 'cAnary+other/secret"\\two 8Kd02mfPq7']
    const [first, other] = canaries as [string, string]
    const seen: unknown[] = [await plan(domain(), document(first)), await applyAll(domain(), document(first))]
    seen.push(await plan(domain(), document(other, archived)), await applyAll(domain(), document(other, archived)))
    await updateRecord(domain(), type, key, { [field]: first }, [])
    const planned = await plan(domain(), document(other))
    seen.push(planned, await exportDocument(domain(), null), await storedRecords(domain()))
    const applies = await listApplies(domain(), 10, null)
    for (const { uuid } of applies) {
      seen.push(await listApplyChanges(domain(), uuid), (await planRollback(domain(), uuid, NO_SETTINGS)).plan)
    }
    for (const table of ['record_secrets', 'apply_secrets', 'record_drift', 'records', 'applies', 'apply_changes']) {
      seen.push(await domain().database.read((sql) => sql.query(`select t::text as row from ${table} t`)))
    }
    expect(applies).toHaveLength(2)
    const text = JSON.stringify(seen)
    for (const spelling of canaries.flatMap(spellings)) expect(text).not.toContain(spelling)
  })
})

// A client's secret is ASCII.
test('a password is one text in all Unicode normal forms, as keyboards send it', async () => {
  const [{ document }] = HOLDERS
  await applyAll(domain(), document('pässwörd-8Kd02mfPq71L-0123456789'.normalize('NFC')))
  expect(effects(await plan(domain(), document('pässwörd-8Kd02mfPq71L-0123456789'.normalize('NFD'))))).toEqual([])
})

/** How a text may look in another text, and its longest part that every escaping leaves alone. */
function spellings(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    Buffer.from(secret).toString('base64').slice(0, 40),
    Buffer.from(secret).toString('base64url').slice(0, 40),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString().slice('secret='.length),
    'cAnary',
    '8Kd02mfPq7',
  ]
}

test('the spellings that are looked for are found where a secret is shown', () => {
  const secret = 'cAnary+first/secret"\\one 8Kd02mfPq7'
  const shown = [secret, JSON.stringify({ secret }), btoa(secret), encodeURIComponent(secret)]
  for (const text of shown) expect(spellings(secret).some((spelling) => text.includes(spelling))).toBe(true)
})
