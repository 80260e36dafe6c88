import { counted } from '../../../lib/counted.ts'
import { countsOf, isOfOne } from '../../../plan/impact-text.ts'
import { behindRecords } from '../../../platform/records/model-overview.ts'
import {
  MOST_PATH_COMPONENTS,
  recordPath,
  referencesOfRecord,
  systemsOnPath,
  type PathStep,
  type References,
} from '../../../platform/records/record-path.ts'
import { isMetadata } from '../../../records/metadata.ts'
import { keyOf } from '../../../records/identity.ts'
import { RECORD_TYPES, recordType } from '../../../records/registry.ts'
import { recordId } from '../../../records/record-id.ts'
import { html, type Html } from '../../../server/html.ts'
import type { PathSystem } from '../../../store/model/record-path.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import type { Visit } from '../../page.ts'
import { block } from '../../parts/block.ts'
import { shortText } from '../../parts/short-text.ts'
import { withRight } from '../../visit-right.ts'
import { hasData } from './beside-records.ts'
import { recordHref } from '../../record-link.ts'

const MOST_SHOWN = 8

/** Shows the references of a record, from the model to the data. */
export async function referencesBlock(visit: Visit, record: StoredRecord): Promise<Html> {
  const { context } = visit
  const [ofData, path] = [withRight(visit, 'data:read'), await recordPath(context, record)]
  const ways =
    path === null
      ? waysOf(record, await referencesOfRecord(context, visit.actor, record))
      : [
          metadataWay(record),
          ...path.map(pathWay),
          ...(ofData === null ? [] : [systemsWay(await systemsOnPath(ofData.context, path))]),
        ]
  const behind = ofData !== null && hasData(record.type) ? await behindText(ofData, record) : null
  return block({
    title: 'References',
    note: 'what it is part of, from the model to the data',
    body: html`${pathOf(ways.filter((way) => way !== null))}
    ${behind === null ? null : html`<p class="behind">${behind}</p>`}`,
  })
}

/** One column of the path from the model to the data. */
interface Way {
  readonly title: string
  readonly links: readonly { readonly text: string; readonly href: string; readonly note?: string }[]
  readonly isOwn: boolean
  readonly isName?: boolean
  readonly more: number
}

function pathOf(ways: readonly Way[]): Html {
  return html`<ol class="path">
    ${ways.map(
      ({ title, links, isOwn, isName, more }) =>
        html`<li>
          <h3>${title}</h3>
          <ul>
            ${links.map(
              ({ text, href, note }) =>
                html`<li>
                  <a href="${href}" ${isOwn ? html`aria-current="page"` : null}
                    >${isName === true ? shortText(text) : html`<code>${shortText(text)}</code>`}</a
                  >
                  ${note === undefined ? null : html`<span class="soft">${note}</span>`}
                </li>`,
            )}
          </ul>
          ${more > 0 ? html`<p class="soft">and ${more.toLocaleString('en-US')} more</p>` : null}
          ${links.length === 0 ? html`<p class="soft">none</p>` : null}
        </li>`,
    )}
  </ol>`
}

function pathWay({ type, isOwn, records, total }: PathStep): Way {
  const number = total.toLocaleString('en-US')
  return {
    title: isOwn ? `this ${singular(type)}` : `${number} ${named(type, total)}`,
    links: records.slice(0, MOST_SHOWN).map(({ key }) => ({ text: key, href: recordHref({ type, key }) })),
    isOwn,
    more: total - Math.min(records.length, MOST_SHOWN),
  }
}

function systemsWay(systems: readonly PathSystem[]): Way {
  const [{ systems: count, total } = { systems: 0, total: 0 }] = systems
  const isPart = total > MOST_PATH_COMPONENTS
  return {
    title: isPart
      ? `more than ${counted(MOST_PATH_COMPONENTS, 'component')}, such as those of`
      : `${counted(total, 'component')} of ${counted(count, 'system')}`,
    links: systems.map(({ uuid, name, components }) => ({
      text: name,
      href: `/systems/${uuid}`,
      ...(!isPart && { note: components.toLocaleString('en-US') }),
    })),
    isOwn: false,
    isName: true,
    more: isPart ? 0 : count - systems.length,
  }
}

/** The rules for the metadata of a record; null if there are none. */
function metadataWay({ type, key, body }: StoredRecord): Way | null {
  const rules = RECORD_TYPES.find(({ metadataRule }) => metadataRule !== undefined)
  const items = body['metadataKeyValueStore']
  const entityType = recordType(type).metadataEntity?.(key.split('/').length - 1)
  if (rules === undefined || entityType === undefined || !isMetadata(items) || items.length === 0) return null
  return {
    title: 'metadata by',
    links: items.slice(0, MOST_SHOWN).map((item) => ({
      text: item.key,
      href: recordHref({ type: rules.name, key: keyOf(rules, { entityType, key: item.key }) }),
    })),
    isOwn: false,
    more: items.length - MOST_SHOWN,
  }
}

function waysOf(record: StoredRecord, { to, from }: References): readonly (Way | null)[] {
  const { type, key } = record
  const own = {
    title: `this ${singular(type)}`,
    links: [{ text: key, href: recordHref(record) }],
    isOwn: true,
    more: 0,
  }
  return [metadataWay(record), ...byType(to, 'refers to'), own, ...byType(from, 'referred to by')]
}

function byType(found: References['to'], title: string): Way[] {
  return [...Map.groupBy(found, ({ type }) => type)].map(([type, records]) => {
    const total = records[0]?.total ?? 0
    const links = records.slice(0, MOST_SHOWN).map(({ key }) => ({ text: key, href: recordHref({ type, key }) }))
    return {
      title: `${title} ${total.toLocaleString('en-US')} ${named(type, total)}`,
      links,
      isOwn: false,
      more: total - links.length,
    }
  })
}

function named(type: StoredRecord['type'], count: number): string {
  return count === 1 ? singular(type) : `${singular(type)}s`
}

/** The singular of a type, such as `characteristic`, which is the name of its definition. */
function singular(type: StoredRecord['type']): string {
  return recordType(type)
    .definition.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
}

async function behindText({ context, url }: Visit, record: StoredRecord): Promise<Html> {
  const isAsked = url.searchParams.has('count')
  const behind = await behindRecords(context, [record], isAsked ? Number.MAX_SAFE_INTEGER - 1 : undefined)
  if (behind === null)
    return html`Much data belongs to it. <a href="${recordHref(record)}?count">Count it</a>, which takes a moment.`
  const counts = countsOf(behind.get(recordId(record)) ?? {})
  if (counts === '') return html`<span class="soft">No data belongs to it.</span>`
  return html`<strong>${counts}</strong> ${isOfOne(counts) ? 'belongs' : 'belong'} to it. Deleting it would lose them.`
}
