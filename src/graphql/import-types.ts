import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { GraphQLNullableType } from 'graphql'
import { briefPlan } from '../plan/brief-plan.ts'
import type { Outcome, Plan, ScopeState } from '../plan/plan.ts'
import { isNotManagedNow } from '../plan/scope.ts'
import { RECORD_TYPES } from '../records/registry.ts'
import { definition } from '../records/shape.ts'
import { PAGE_INFO_TYPE } from './record-types.ts'
import type { ApplyView } from './apply-view.ts'
import type { ApplyPage, GraphqlContext, PlanView } from './resolvers.ts'
import { DATE_TIME, INTEGER, JSON_VALUE } from './scalars.ts'

/** Also the wording of the GraphQL enum values: kebab-case is no name in GraphQL. */
function enumOf<Value extends string>(
  name: string,
  description: string,
  values: { readonly [value in Value]: string },
) {
  const entries = Object.entries<string>(values).map(
    ([value, text]) => [value.toUpperCase().replaceAll('-', '_'), { value, description: text }] as const,
  )
  return new GraphQLEnumType({ name, description, values: Object.fromEntries(entries) })
}

const OUTCOME = enumOf<Outcome>('PlanOutcome', 'What an apply of a plan would do.', {
  changes: 'It would change something.',
  'no-changes': 'There is nothing to do.',
  blocked: 'It would be refused: by an error, or by a guard that nobody acknowledged.',
})

const SCOPE_STATE = enumOf<ScopeState>('ScopeState', 'What an import document says about a record type.', {
  managed: 'It lists all records of the type.',
  unmanaged: 'It does not have the type.',
  emptied: 'It says that there shall be none, and there are some.',
  released: 'It does not have the type any more: the last apply managed it.',
})

/** Named as the keys of the import document are. */
export const RECORD_TYPE = new GraphQLEnumType({
  name: 'RecordType',
  description: 'The record types, as the import document names them.',
  values: Object.fromEntries(
    RECORD_TYPES.map((type) => [type.name, { description: definition(type.definition).description ?? null }]),
  ),
})

const required = <Type extends GraphQLNullableType>(type: Type) => new GraphQLNonNull(type)
const counts = (fields: { readonly [name: string]: string }) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: required(INTEGER), description }]),
  )

const PLAN_SUMMARY = new GraphQLObjectType<Plan['summary']>({
  name: 'PlanSummary',
  description: 'The counts of a plan.',
  fields: {
    ...counts({
      create: 'Records that would be created.',
      update: 'Records that would be changed.',
      delete: 'Records that would be deleted.',
      move: 'Records that would get another key.',
      unchanged: 'Records that are as the document says.',
      unmanagedTypes: 'Record types that the document does not have.',
    }),
    notCompared: {
      type: required(INTEGER),
      description:
        'Records without a change of which nobody can say that they are as the document says: their secrets.',
      resolve: ({ notCompared }) => notCompared ?? 0,
    },
  },
})

const PLAN_SCOPE = new GraphQLObjectType<Plan['scope'][number]>({
  name: 'PlanScope',
  description: 'What an import document says about one record type.',
  fields: {
    type: { type: required(RECORD_TYPE), description: 'The record type.' },
    state: { type: required(SCOPE_STATE), description: 'Whether the document manages it.' },
    staysManaged: {
      type: required(GraphQLBoolean),
      description:
        'The last apply managed it, this document does not have it and came without settings: it is as it was, and still managed.',
      resolve: isNotManagedNow,
    },
    ...counts({ desired: 'How many records the document lists.', actual: 'How many records the platform has.' }),
  },
})

const PLAN_ACCESS = new GraphQLObjectType<Plan['access']>({
  name: 'PlanAccess',
  description: 'What an import does with grants, which stand in its settings.',
  fields: {
    state: { type: required(SCOPE_STATE), description: 'Whether the settings manage them.' },
    staysManaged: {
      type: required(GraphQLBoolean),
      description:
        'The last apply managed them, and this import has no settings: they are as they were, and still managed.',
      resolve: isNotManagedNow,
    },
    ...counts({ desired: 'How many grants the settings list.', actual: 'How many grants the platform has.' }),
    changes: {
      type: required(JSON_VALUE),
      description: 'What would be done, grant by grant, as schemas/plan.schema.json describes it.',
    },
  },
})

export const IMPORT_PLAN = new GraphQLObjectType<PlanView, GraphqlContext>({
  name: 'ImportPlan',
  description: 'What an apply of an import document would do. Nothing is done by making it.',
  fields: {
    digest: {
      type: required(GraphQLString),
      description: 'Equal digests mean equal effects.',
      resolve: ({ plan }) => plan.digest,
    },
    outcome: { type: required(OUTCOME), description: 'What an apply would do.', resolve: ({ plan }) => plan.outcome },
    summary: { type: required(PLAN_SUMMARY), description: 'The counts.', resolve: ({ plan }) => plan.summary },
    scope: {
      type: required(new GraphQLList(required(PLAN_SCOPE))),
      description: 'All record types, in the order of the import document.',
      resolve: ({ plan }) => plan.scope,
    },
    access: { type: required(PLAN_ACCESS), description: 'What becomes of grants.', resolve: ({ plan }) => plan.access },
    json: {
      type: required(JSON_VALUE),
      description: 'The whole plan, as schemas/plan.schema.json describes it.',
      resolve: ({ plan }) => plan,
    },
    brief: {
      type: required(JSON_VALUE),
      description:
        'The plan in fewer bytes, enough to show it and to apply it. Like `json`, but in a record type with more than 100 creations that have neither a secret nor a guard nor a reason, each of these is only the list `[type, key, afterDigest, pointer]`, in its place in `changes`. `pointers` of this object has the pointers of the other changes.',
      resolve: briefPlan,
    },
    pointers: {
      type: required(JSON_VALUE),
      description:
        'Where in the import document, or in the settings for grants, each change comes from: `type/key` to JSON Pointer (RFC 6901).',
      resolve: ({ pointers }) => Object.fromEntries(pointers),
    },
  },
})

export const ROLLBACK_PLAN = new GraphQLObjectType<PlanView & { settings: unknown }>({
  name: 'RollbackPlan',
  description:
    'What it would take to undo an apply. To do it, call applyImport with these three and the apply as origin.rollbackOf.',
  fields: {
    json: {
      type: required(JSON_VALUE),
      description: 'The whole plan, as schemas/plan.schema.json describes it.',
      resolve: ({ plan }) => plan,
    },
    document: {
      type: required(JSON_VALUE),
      description: 'The document to give to applyImport: empty, since the records come from the history.',
      resolve: () => ({}),
    },
    settings: {
      type: required(JSON_VALUE),
      description: 'The settings that the plan was made with.',
      resolve: ({ settings }) => settings ?? {},
    },
  },
})

export const APPLY_ORIGIN = new GraphQLInputObjectType({
  name: 'ApplyOriginInput',
  description: 'Where an apply comes from.',
  fields: {
    applyId: {
      type: GraphQLID,
      description: 'A UUID made by the client, the same for every repetition of one apply: it is then done once.',
    },
    commit: { type: GraphQLString, description: 'The Git commit of the models.' },
    repository: { type: GraphQLString, description: 'The Git repository of the models.' },
    ref: { type: GraphQLString, description: 'The Git branch or tag.' },
    actor: { type: GraphQLString, description: 'Who brought the models there, as the client says.' },
    rollbackOf: { type: GraphQLID, description: 'The uuid of the apply that this one undoes.' },
  },
})

export const APPLY = new GraphQLObjectType<ApplyView, GraphqlContext>({
  name: 'Apply',
  description: 'An import document that was applied.',
  fields: {
    uuid: { type: required(GraphQLID), description: 'Identifies the apply.' },
    recorded: {
      type: required(GraphQLBoolean),
      description: 'False where there was nothing to do: such an apply leaves no trace.',
    },
    at: { type: required(DATE_TIME), description: 'When it was done.' },
    actor: { type: required(GraphQLString), description: 'Who did it.' },
    planDigest: { type: required(GraphQLString), description: 'The digest of the plan that was carried out.' },
    summary: { type: required(JSON_VALUE), description: 'The counts of that plan; `access`: how many grants changed.' },
    origin: { type: required(JSON_VALUE), description: 'Where the models came from: commit, repository, ref, actor.' },
    scope: {
      type: required(JSON_VALUE),
      description: 'Each record type and whether the document managed it: a list of {type, state}.',
    },
    notManaged: {
      type: required(new GraphQLList(required(GraphQLString))),
      description:
        'What earlier applies managed and this one had nothing about, as it came without settings: record types, and `access` for grants. They are as they were, and still managed.',
    },
    rollbackOf: { type: GraphQLID, description: 'The apply that this one undid.' },
    changes: {
      type: required(JSON_VALUE),
      description: 'What was changed, with the records before and after, without secrets.',
      resolve: ({ uuid, recorded }, _, { resolvers }) => (recorded ? resolvers.listApplyChanges(uuid) : []),
    },
  },
})

export const APPLY_CONNECTION = new GraphQLObjectType<ApplyPage>({
  name: 'ApplyConnection',
  description: 'A page of the history.',
  fields: {
    nodes: {
      type: required(new GraphQLList(required(APPLY))),
      description: 'The applies, newest first.',
      resolve: ({ applies }) => applies,
    },
    pageInfo: {
      type: PAGE_INFO_TYPE,
      description: 'Whether there is more. The cursor of an apply is its uuid.',
      resolve: ({ applies, ...more }) => ({
        ...more,
        startCursor: applies[0]?.uuid ?? null,
        endCursor: applies.at(-1)?.uuid ?? null,
      }),
    },
  },
})
