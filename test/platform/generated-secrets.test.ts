import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import { recordType } from '../../src/records/registry.ts'
import { GENERATED, Secret } from '../../src/records/secret.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { changeOf, effects } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'
import { HOLDERS, REFERENCE, STRONG } from './secret-holders.ts'

// docs/decisions/0005-secret-fingerprints.md

const domain = oneDomain()

const hashes = () => domain().database.read((sql) => sql.query('select hash, fingerprint, salt from record_secrets'))

const archived = { status: 'ARCHIVED' }

describe.each(HOLDERS)('the $field of $type as ${generated}', ({ type, key, field, document }) => {
  const secretState = async (next: object) => changeOf(await plan(domain(), next), type, key).secret
  const generated = document(GENERATED)

  test('is made once: created without a warning, equal ever after, and the same after later applies', async () => {
    const planned = await plan(domain(), generated)
    expect({ state: changeOf(planned, type, key).secret, found: planned.diagnostics }).toEqual({
      state: 'generated',
      found: [],
    })
    await applyAll(domain(), generated)
    const made = await hashes()
    const after = await plan(domain(), generated)
    expect({ outcome: after.outcome, notCompared: after.notCompared }).toEqual({ outcome: 'no-changes' })
    await applyAll(domain(), document(GENERATED, archived))
    expect(await secretState(generated)).toBe('unchanged')
    expect(await hashes()).toEqual(made)
  })

  test('is known to nobody: its text and its fingerprint let nobody in, and two records have different ones', async () => {
    const [first] = Object.values(generated)[0] as JsonObject[]
    const identity = type === 'machineUsers' ? 'username' : 'slug'
    await applyAll(domain(), { [type]: [first ?? {}, { ...first, [identity]: 'second' }] })
    const stored = (await hashes()) as { hash: string }[]
    expect(new Set(stored.map(({ hash }) => hash))).toHaveLength(2)
    for (const { hash } of stored)
      for (const guess of [GENERATED, 'generated', ''])
        expect(await domain().secrets.check(recordType(type), new Secret(guess), hash)).toBe(false)
  })

  test('replaces one that somebody knows, and the other way round, and the plan says which', async () => {
    await applyAll(domain(), document(STRONG))
    expect(changeOf(await plan(domain(), generated), type, key)).toMatchObject({
      secret: 'generated',
      patch: [{ op: 'replace', path: `/${field}`, value: '(secret)' }],
    })
    await applyAll(domain(), generated)
    expect(effects(await plan(domain(), generated))).toEqual([])
    expect(await secretState(document(STRONG))).toBe('no longer generated')
    expect((await plan(domain(), document(REFERENCE))).notCompared).toEqual([
      { type, key, field, reason: 'still-generated' },
    ])
    await applyAll(domain(), document(STRONG))
    expect(effects(await plan(domain(), document(STRONG)))).toEqual([])
  })

  test('is back as it was after a rollback, and is exported as it is written', async () => {
    await applyAll(domain(), generated)
    const made = await hashes()
    expect(await exportDocument(domain(), [type])).toMatchObject({ [type]: [{ [field]: GENERATED }] })
    const { uuid } = await applyAll(domain(), document(STRONG))
    expect(await exportDocument(domain(), [type])).not.toMatchObject({ [type]: [{ [field]: GENERATED }] })
    const { plan: inverse } = await planRollback(domain(), uuid, NO_SETTINGS)
    const settings = acknowledging(inverse)
    await applyImport(domain(), { document: {}, settings, plan: inverse, origin: { rollbackOf: uuid } })
    expect(await hashes()).toEqual(made)
    expect((await plan(domain(), generated)).outcome).toBe('no-changes')
  })

  test('that a mutation replaces is drift, and so is one that a mutation generates', async () => {
    await applyAll(domain(), generated)
    await updateRecord(domain(), type, key, { [field]: STRONG }, [])
    expect(changeOf(await plan(domain(), generated), type, key)).toMatchObject({
      cause: 'drift',
      secret: 'generated',
    })
    await applyAll(domain(), document(STRONG))
    await updateRecord(domain(), type, key, { [field]: GENERATED }, [])
    expect(changeOf(await plan(domain(), document(STRONG)), type, key)).toMatchObject({
      cause: 'drift',
      secret: 'no longer generated',
    })
  })
})
