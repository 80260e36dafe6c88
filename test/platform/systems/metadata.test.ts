import { beforeEach, describe, expect, it } from 'vitest'
import { readMetadataValue } from '../../../src/console/metadata/metadata-value.ts'
import { oneDomain } from '../one-domain.ts'
import { makeSite, makeSystem } from './site.ts'

const TIME = 'a date-time with offset such as 2026-01-31T06:30:00Z'

describe('a timestamp in the metadata of a system', () => {
  const domain = oneDomain()
  beforeEach(async () => {
    await makeSite(domain())
  })

  const made = (key: string, value: string | { readonly timestamp: string }) =>
    makeSystem(domain(), { metadataKeyValueStore: [{ key, value }] })

  it.each([
    ['2026-02-30T00:00:00Z', 'there is no day 2026-02-30'],
    ['2026-01-01T24:00:00Z', 'there is no time of day 24:00:00'],
    ['9999-12-31T23:59:59-01:00', 'in UTC it is outside of the years 0000 to 9999'],
    ['0000-01-01T00:00:00+01:00', 'in UTC it is outside of the years 0000 to 9999'],
  ])('is not moved where it is none: %s', async (text, flaw) => {
    const message = `the value must be ${TIME}, but is "${text}"; ${flaw}`
    const typed = `metadata "installed": its MetadataType wants dataType TIMESTAMP, so ${message}`
    await expect(made('installed', text)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message: typed })
    await expect(made('installed', { timestamp: text })).rejects.toMatchObject({ message: typed })
    await expect(made('free', { timestamp: text })).rejects.toMatchObject({ message: `metadata "free": ${message}` })
    expect(readMetadataValue(text, 'TIMESTAMP')).toEqual({ problem: expect.stringContaining(flaw) })
  })

  it('is a text where no MetadataType and no tag says otherwise', async () => {
    const { metadataKeyValueStore } = await made('free', '2026-02-30T00:00:00Z')
    expect(metadataKeyValueStore).toContainEqual({ key: 'free', value: { string: '2026-02-30T00:00:00Z' } })
  })
})
