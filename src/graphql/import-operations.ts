import { GraphQLID, GraphQLInt, GraphQLList, GraphQLNonNull } from 'graphql'
import type { GraphQLFieldConfigArgumentMap } from 'graphql'
import type { RecordTypeName } from '../records/record-type.ts'
import { APPLY, APPLY_CONNECTION, APPLY_ORIGIN, IMPORT_PLAN, RECORD_TYPE, ROLLBACK_PLAN } from './import-types.ts'
import { MAX_PAGE } from './record-inputs.ts'
import type { ApplyArguments } from './resolvers.ts'
import { JSON_VALUE, UUID } from './scalars.ts'
import { operation, type OperationFields } from './scope.ts'

const SETTINGS: GraphQLFieldConfigArgumentMap = {
  settings: {
    type: JSON_VALUE,
    description:
      'What holdfast.yaml says: acknowledge, protect, moved, access. Left out or null: the import is only of what the document has; record types that it does not have stay as they are, managed or not, and so do grants. With settings, also with {}, a type that was managed and is absent leaves the scope, which a guard stops.',
  },
}

const DOCUMENT: GraphQLFieldConfigArgumentMap = {
  document: { type: new GraphQLNonNull(JSON_VALUE), description: 'The import document.' },
  ...SETTINGS,
}

/** Plans, exports and the history. */
export const IMPORT_QUERIES: OperationFields = {
  planImport: operation<{ readonly document: unknown; readonly settings?: unknown }>({
    right: 'model:plan',
    type: new GraphQLNonNull(IMPORT_PLAN),
    description: 'What an apply of the document would do. Writes nothing.',
    args: DOCUMENT,
    resolve: (resolvers, { document, settings }) => resolvers.planImport(document, settings),
  }),
  importDocument: operation<{ readonly recordTypes?: readonly RecordTypeName[] | null }>({
    right: 'model:read',
    type: new GraphQLNonNull(JSON_VALUE),
    description:
      'An export: the live state, as an import document that could be sent again, with references in place of secrets. An import is planImport and then applyImport, or POST /rest/v1/import.',
    args: {
      recordTypes: {
        type: new GraphQLList(new GraphQLNonNull(RECORD_TYPE)),
        description: 'Only these types. Left out: all.',
      },
    },
    resolve: (resolvers, { recordTypes }) => resolvers.importDocument(recordTypes ?? null),
  }),
  accessDocument: operation({
    right: 'model:read',
    type: new GraphQLNonNull(JSON_VALUE),
    description: 'The grants of the domain, as `access` of the settings lists them.',
    resolve: (resolvers) => resolvers.accessDocument(),
  }),
  applies: operation<{ readonly first: number; readonly after?: string | null }>({
    right: 'model:read',
    type: new GraphQLNonNull(APPLY_CONNECTION),
    description: 'The history of applies, newest first.',
    args: {
      first: {
        type: new GraphQLNonNull(GraphQLInt),
        defaultValue: 50,
        description: `How many at most, up to ${MAX_PAGE}.`,
      },
      after: { type: GraphQLID, description: 'The uuid of the apply after which to go on.' },
    },
    resolve: (resolvers, { first, after }) => resolvers.listApplies(first, after ?? null),
  }),
  apply: operation<{ readonly uuid: string }>({
    right: 'model:read',
    type: APPLY,
    description: 'One apply; null where there is none.',
    args: { uuid: { type: UUID, description: 'The uuid of the apply.' } },
    resolve: (resolvers, { uuid }) => resolvers.findApply(uuid),
  }),
  rollbackPlan: operation<{ readonly apply: string; readonly settings?: unknown }>({
    right: 'model:plan',
    type: new GraphQLNonNull(ROLLBACK_PLAN),
    description: 'What it would take to undo an apply. Writes nothing.',
    args: { apply: { type: UUID, description: 'The uuid of the apply to undo.' }, ...SETTINGS },
    resolve: async (resolvers, { apply, settings }) => ({
      ...(await resolvers.planRollback(apply, settings)),
      settings,
    }),
  }),
}

export const IMPORT_MUTATIONS: OperationFields = {
  applyImport: operation<ApplyArguments>({
    right: 'model:apply',
    type: new GraphQLNonNull(APPLY),
    description:
      'Makes exactly the changes of a reviewed plan, all of them or none. A plan that is out of date is refused as STALE_PLAN.',
    args: {
      ...DOCUMENT,
      plan: { type: new GraphQLNonNull(JSON_VALUE), description: 'The plan that was reviewed, as planImport gave it.' },
      origin: { type: APPLY_ORIGIN, description: 'Where the document comes from.' },
    },
    resolve: (resolvers, args) => resolvers.applyImport(args),
  }),
}

/** All that may deal with a whole model at once. */
export const IMPORT_FIELDS: ReadonlySet<string> = new Set([IMPORT_QUERIES, IMPORT_MUTATIONS].flatMap(Object.keys))
