import { capitalized } from '../../../lib/letter-case.ts'
import { listApplies } from '../../../platform/imports/history/applies.ts'
import { counted } from '../../../lib/counted.ts'
import { html, type Html } from '../../../server/html.ts'
import { SEES_ANYTHING } from '../../frame/areas.ts'
import { declarePage, type Visit } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { shortTable, table } from '../../parts/table.ts'
import { age } from '../../parts/time.ts'
import { lastApplies } from '../applies/apply-table.ts'
import { signOf } from '../systems/events.ts'
import { arrivalsBlock } from './arrivals-block.ts'
import { isBad, needsOf, type Need } from './needs.ts'
import { MOST_COUNTED, readHome, type HomeData } from './read-home.ts'

const LAST_APPLIES = 5
const OPEN_SHOWN = 10

/** `/`: the overview for operators. */
export const HOME_PAGE = declarePage({
  path: '/',
  area: 'home',
  ...SEES_ANYTHING,
  keepsWithin: true,
  async show(visit) {
    const { context, caller } = visit
    const data = await readHome(visit)
    const needs = needsOf(data)
    const applies = caller.rights.has('model:read') ? await listApplies(context, LAST_APPLIES, null) : []
    return {
      title:
        needs.length === 0
          ? 'Nothing needs attention'
          : `${counted(needs.length, 'thing')} ${needs.length === 1 ? 'needs' : 'need'} attention`,
      verdict: verdictOf(visit, data),
      body: html`<div class="beside">
        <div class="blocks">
          ${needsBlock(visit, needs)} ${arrivalsBlock(visit, data.arrivals, refusedOf(data))} ${openBlock(visit, data)}
        </div>
        <div class="blocks">
          ${applies.length === 0 ? null : lastApplies(visit, applies)} ${waitingBlock(data)} ${codesBlock(data)}
        </div>
      </div>`,
    }
  },
})

/** Summarizes the state in one sentence, with numbers for all systems. */
function verdictOf(
  visit: Visit,
  { arrivals: { silent, neverSent, systems: known }, refusedCodes, openCount, waitingCount, drift }: HomeData,
): Html {
  const refused = refusedCodes.reduce((sum, { count }) => sum + count, 0)
  const perhaps = refusedCodes.some(({ perhaps: some }) => some > 0)
  const systems = `${silent.hasMore ? 'More than ' : ''}${counted(silent.count, 'system')}`
  const facts = [
    silent.count === 0
      ? known.length === 0
        ? html`No ${asFarAsSeen('system', visit)} has sent anything yet.`
        : html`No ${asFarAsSeen('system', visit)} that ever sent something is silent.`
      : html`<strong>${systems} ${silent.count === 1 ? 'sends' : 'send'} nothing.</strong>`,
    neverSent.count === 0 || known.length + silent.count === 0
      ? null
      : html`${neverSent.hasMore ? 'More than ' : ''}${counted(neverSent.count, 'system')}
        ${neverSent.count === 1 ? 'has' : 'have'} never sent anything.`,
    html`${capitalized(upTo(openCount, 'event'))} ${openCount === 1 ? 'is' : 'are'} open,
    ${upTo(waitingCount, 'setpoint')} ${waitingCount === 1 ? 'waits' : 'wait'}.`,
    refused === 0 && !perhaps
      ? null
      : html`${perhaps ? 'At least ' : ''}${counted(refused, 'datapoint')} rejected in 24 hours.`,
    drift === null ? null : drift.count === 0 ? html`The model is as the last apply left it.` : null,
  ]
  return html`${facts.filter((fact) => fact !== null).map((fact) => html`${fact} `)}`
}

/** `12 events`, or `more than 1,000 events` if the count was stopped there. */
function upTo(count: number, noun: string): string {
  return count > MOST_COUNTED ? `more than ${counted(MOST_COUNTED, noun)}` : counted(count, noun)
}

function needsBlock({ now, zone }: Visit, needs: readonly Need[]): Html {
  const columns = [{ label: 'What' }, { label: 'Where' }, { label: 'Since', isNumber: true }]
  const rows = needs.map(({ sign, what, where, since }) => ({ sign, cells: [what, where, age(since, now, zone)] }))
  return block({
    title: 'Needs attention',
    note: 'worst first',
    body: rows.length === 0 ? empty('Nothing that you may see needs attention.') : table(columns, rows),
  })
}

function refusedOf({ refused }: HomeData): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { systemUuid, count } of refused)
    if (systemUuid !== null) sums.set(systemUuid, (sums.get(systemUuid) ?? 0) + count)
  return sums
}

/** Open events without urgency. Urgent ones are in the list above. */
function openBlock({ now, zone }: Visit, { open, openCount, systemLink }: HomeData): Html | null {
  const others = open.filter((event) => !isBad(event))
  if (others.length === 0) return null
  const rows = others.slice(0, OPEN_SHOWN).map(({ message, eventModel, eventLevel, systemUuid, at }) => ({
    sign: signOf(eventLevel),
    cells: [
      html`${message ?? eventModel} <code class="soft">${eventModel}</code>`,
      systemLink(systemUuid, '/events'),
      age(new Date(at / 1_000), now, zone),
    ],
  }))
  return block({
    title: 'Other open events',
    note: `${upTo(openCount, 'event')} open in all`,
    body: table([{ label: 'Event' }, { label: 'Of' }, { label: 'Since', isNumber: true }], rows),
  })
}

function waitingBlock({ waiting, waitingCount }: HomeData): Html | null {
  if (waitingCount === 0) return null
  const states = Map.groupBy(waiting, ({ state }) => state)
  const rows = [...states].map(([state, some]) => ({
    sign: 'move' as const,
    cells: [state.toLowerCase(), some.length] as const,
  }))
  const isPart = waiting.length < waitingCount
  const note = isPart ? `the oldest ${waiting.length} of ${upTo(waitingCount, 'setpoint')}` : 'not applied yet'
  return block({ title: 'Setpoints', note, body: shortTable(rows) })
}

function codesBlock({ refusedCodes }: HomeData): Html | null {
  if (refusedCodes.length === 0) return null
  const rows = refusedCodes.map(({ code, count, perhaps }) => ({
    sign: 'failed' as const,
    cells: [
      html`<code>${code}</code>`,
      html`${count.toLocaleString('en-US')}${perhaps > 0 ? html`<span class="under">and perhaps ${perhaps.toLocaleString('en-US')} of before</span>` : null}`,
    ],
  }))
  return block({ title: 'Rejected datapoints', note: '24 hours, by code', body: shortTable(rows) })
}
