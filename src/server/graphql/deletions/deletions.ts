import { GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import { readRange } from '../../../platform/datapoints/reading/reading-query.ts'
import type { Wanted } from '../../../platform/deletions/deletion-target.ts'
import {
  carryOutDeletion,
  listDeletions,
  previewDeletion,
  seesDeletions,
  type DeletionPreview,
} from '../../../platform/deletions/deletions.ts'
import { findPlainEntities } from '../../../platform/systems/find-entities.ts'
import { badInput, HoldfastError } from '../../../lib/errors.ts'
import { DELETION } from '../../../records/entities.ts'
import { checkUuid } from '../../checked-arguments.ts'
import type { Call, GraphqlContext } from '../call.ts'
import { nodeType } from '../entities.ts'
import { partType } from '../field-types.ts'
import { operation, type OperationFields } from '../operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from '../page.ts'
import { DATE_TIME, TEXT, TEXTS, TIME, UUIDS } from '../scalars.ts'
import { seriesFilter } from '../series-filter.ts'
import { input, nonNull, optional, required, type ValueOf } from '../typed.ts'

const DELETION_TYPE = nodeType(DELETION, {
  find: ({ context, actor }, uuids) =>
    seesDeletions(actor) ? findPlainEntities(context, actor, DELETION, uuids) : Promise.resolve([]),
})

const DELETION_PREVIEW = new GraphQLObjectType<DeletionPreview, GraphqlContext>({
  name: 'DeletionPreview',
  description: 'What a deletion would delete at this moment. Nothing is deleted yet.',
  fields: {
    token: {
      type: TEXT,
      description: 'The token for the deletion. It is valid for this account and for the previewed data only.',
    },
    expiresAt: { type: TIME, description: 'The time after which the token no longer counts.' },
    counts: { type: nonNull(partType('DeletionCounts')), description: 'What would be deleted.' },
  },
})

const SERIES_TO_DELETE = input(
  'SeriesToDelete',
  'Selects series; all given conditions must hold, and at least one must be given.',
  {
    systems: optional(UUIDS, 'The uuids of systems.'),
    components: optional(UUIDS, 'The uuids of components.'),
    services: optional(TEXTS, 'The uuids or record keys of services.'),
    characteristics: optional(TEXTS, 'The uuids or record keys of characteristics.'),
  },
)

const RANGE = {
  from: optional(DATE_TIME, 'Part of the range. Left out: from the first datapoint.'),
  to: optional(DATE_TIME, 'Not part of the range. Left out: to the last datapoint.'),
}

const TOKEN = { token: required(GraphQLString, 'The token of the deletionPreview.') }

interface GivenDatapoints {
  readonly series: ValueOf<typeof SERIES_TO_DELETE>
  readonly from?: string | null
  readonly to?: string | null
}

function datapointsOf({ series, from, to }: GivenDatapoints, { context }: Call): Wanted {
  const { systems = null, components = null, services = null, characteristics = null } = seriesFilter(series)
  const named = { systems, components, services, characteristics }
  if (Object.values(named).every((list) => list === null))
    throw badInput('series selects nothing: name systems, components, services or characteristics')
  requireShort(Object.values(named).flatMap((list) => list ?? []))
  const range = readRange({ from, to }, context.now())
  return {
    kind: 'DATAPOINTS',
    series: named,
    from: from == null ? null : range.from,
    to: to == null ? null : range.to,
  }
}

/** The maximum number of characters of all names of series in one deletion. The history keeps them for ever. */
const MOST_NAMED = 200_000

function requireShort(names: readonly string[]): void {
  const length = names.reduce((sum, name) => sum + name.length, 0)
  if (length <= MOST_NAMED) return
  const [given, most] = [length, MOST_NAMED].map((count) => count.toLocaleString('en-US'))
  throw new HoldfastError('LIMIT_EXCEEDED', `the names of series have ${given} characters, and ${most} are the most`)
}

/** Declares the deletion of a thing with a uuid. */
function deleteThing(kind: 'SYSTEM' | 'COMPONENT' | 'EVENT', what: string, description: string) {
  return operation({
    right: 'data:delete',
    keepsWithin: true,
    type: nonNull(DELETION_TYPE),
    description: `${description} You need the token of a deletionPreview. If you send it again, nothing is deleted and the answer is the same.`,
    args: { uuid: required(GraphQLID, `The uuid of the ${what}.`), ...TOKEN },
    async resolve({ context, actor, noteAccessChange }, { uuid, token }) {
      const deletion = await carryOutDeletion(context, actor, { kind, uuid: checkUuid(uuid, 'uuid') }, token)
      if (deletion.counts.credentials > 0) noteAccessChange('system with credentials deleted', { target: uuid })
      return deletion
    },
  })
}

export const DELETION_QUERIES: OperationFields = {
  deletionPreview: operation({
    right: 'data:delete',
    keepsWithin: true,
    type: nonNull(DELETION_PREVIEW),
    description:
      'Counts what a deletion would delete, and gives a token for it. The deletion deletes what is stored at the moment of the preview; everything that is stored later stays. Name exactly one of system, component, event and series.',
    args: {
      system: optional(GraphQLID, 'The uuid of a system. It must be ARCHIVED.'),
      component: optional(GraphQLID, 'The uuid of a component. It must be ARCHIVED.'),
      event: optional(GraphQLID, 'The uuid of an event.'),
      series: optional(SERIES_TO_DELETE, 'The series whose datapoints shall be deleted.'),
      ...RANGE,
    },
    resolve(call, { system, component, event, series, from, to }) {
      const { context, actor } = call
      const wanted: Wanted[] = [
        ...(system == null ? [] : [{ kind: 'SYSTEM', uuid: checkUuid(system, 'system') } as const]),
        ...(component == null ? [] : [{ kind: 'COMPONENT', uuid: checkUuid(component, 'component') } as const]),
        ...(event == null ? [] : [{ kind: 'EVENT', uuid: checkUuid(event, 'event') } as const]),
        ...(series == null ? [] : [datapointsOf({ series, from: from ?? null, to: to ?? null }, call)]),
      ]
      const [one, ...others] = wanted
      if (one === undefined || others.length > 0)
        throw badInput('name exactly one of system, component, event and series')
      if (one.kind !== 'DATAPOINTS' && (from != null || to != null))
        throw badInput('from and to can be given with series only')
      return previewDeletion(context, actor, one)
    },
  }),
  deletions: operation({
    right: DELETION.rights.read,
    type: nonNull(pageType(DELETION_TYPE, 'deletion')),
    description: 'The history of deletions, the latest first, page by page. A device sees none.',
    args: PAGE_ARGUMENTS,
    resolve: async ({ context, actor }, args, info) =>
      pageView(args, await listDeletions(context, actor, pageRequest(args, info))),
  }),
}

export const DELETION_MUTATIONS: OperationFields = {
  deleteSystem: deleteThing(
    'SYSTEM',
    'system',
    'Deletes an ARCHIVED system for ever, with its components, datapoints, events, setpoints and credentials.',
  ),
  deleteComponent: deleteThing(
    'COMPONENT',
    'component',
    'Deletes an ARCHIVED component for ever, with its datapoints, events and setpoints.',
  ),
  deleteEvent: deleteThing('EVENT', 'event', 'Deletes an event for ever.'),
  deleteDatapoints: operation({
    right: 'data:delete',
    keepsWithin: true,
    type: nonNull(DELETION_TYPE),
    description:
      'Deletes datapoints for ever. You need the token of a deletionPreview of the same series and times. No answer contains them from now on. If you send it again, nothing is deleted and the answer is the same.',
    args: { series: required(SERIES_TO_DELETE, 'The series whose datapoints are deleted.'), ...RANGE, ...TOKEN },
    resolve(call, { series, from = null, to = null, token }) {
      return carryOutDeletion(call.context, call.actor, datapointsOf({ series, from, to }, call), token)
    },
  }),
}
