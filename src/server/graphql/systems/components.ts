import { GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import type { NewComponent } from '../../../../generated/entities.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { DomainContext } from '../../../platform/domain-context.ts'
import {
  createComponents,
  findComponent,
  listComponents,
  listSupport,
  updateComponent,
  type Component,
} from '../../../platform/systems/components.ts'
import { COMPONENT } from '../../../records/entities.ts'
import type { SupportedPair } from '../../../store/systems/component-support.ts'
import { checkUuid } from '../../checked-arguments.ts'
import { inBatches } from '../batches.ts'
import type { Call, GraphqlContext } from '../call.ts'
import { latestEdge } from '../datapoints/latest-edge.ts'
import { SERIES_NAMINGS } from '../datapoints/types.ts'
import { withEdges } from '../edges/to-one.ts'
import { DATA_TYPE, enumType, STATUS } from '../field-types.ts'
import { checkedFilter, entityFilter, entityPatch, newEntityInput, nodeType } from '../entities.ts'
import { operation, type OperationFields, plainList } from '../operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from '../page.ts'
import { manyItems } from '../plain-lists.ts'
import { TEXT, UUID } from '../scalars.ts'
import { list, nonNull, optional, required } from '../typed.ts'

// Writing components needs the rights for the model, and reading them the rights for data. A device sees only the
// components of its own system.

interface Supported {
  readonly serviceUuid: string
  readonly service: string
  readonly serviceName: string
  readonly serviceStatus: string
  readonly characteristicUuid: string
  readonly characteristic: string
  readonly characteristicName: unknown
  readonly characteristicStatus: unknown
  readonly characteristicType: unknown
  readonly dataType: unknown
  readonly symbol: unknown
}

const SUPPORTED = new GraphQLObjectType<Supported, GraphqlContext>({
  name: 'SupportedCharacteristic',
  description: 'A characteristic of a service for which a component can have data, as its model links them.',
  fields: () =>
    withEdges<Supported>(
      {
        serviceUuid: { type: UUID, description: 'The service_uuid of datapoints of this characteristic.' },
        service: { type: TEXT, description: 'The record key of the service.' },
        serviceName: { type: TEXT, description: 'The name of the service.' },
        serviceStatus: { type: nonNull(STATUS), description: 'Datapoints are accepted for ACTIVATED services only.' },
        characteristicUuid: {
          type: UUID,
          description: 'The characteristic_uuid of datapoints of this characteristic.',
        },
        characteristic: { type: TEXT, description: 'The record key of the characteristic.' },
        characteristicName: { type: TEXT, description: 'The name of the characteristic.' },
        characteristicStatus: {
          type: nonNull(STATUS),
          description: 'Datapoints are accepted for ACTIVATED characteristics only.',
        },
        characteristicType: { type: nonNull(enumType('CharacteristicType')), description: 'Who sets the value.' },
        dataType: { type: nonNull(DATA_TYPE), description: 'What values are.' },
        symbol: { type: GraphQLString, description: 'The symbol of the unit.' },
      },
      SERIES_NAMINGS,
    ),
})

function toSupported({ characteristicBody, serviceKey, characteristicKey, ...pair }: SupportedPair): Supported {
  const { name, status, characteristicType, dataType, symbol } = characteristicBody
  return {
    ...pair,
    service: serviceKey,
    characteristic: characteristicKey,
    characteristicName: name,
    characteristicStatus: status,
    characteristicType,
    dataType,
    symbol,
  }
}

/** Finds the supported characteristics of all components in an answer with one question. */
const supportOf = inBatches(async (context: DomainContext, uuids) => {
  const found = await listSupport(context, uuids)
  return new Map(found.map(({ componentUuid, pairs }) => [componentUuid, pairs]))
})

const SUPPORTS = {
  ...plainList(
    SUPPORTED,
    'The services and characteristics that its model links, in the order of the services.',
    async ({ uuid }: Component, { parts }) => manyItems((await supportOf(parts.context, uuid)) ?? [], toSupported),
  ),
  type: nonNull(list(SUPPORTED)),
}

const COMPONENT_TYPE = nodeType(COMPONENT, {
  more: { supports: SUPPORTS, latest: latestEdge('components', 'componentUuid') },
})

const COMPONENT_INPUT = newEntityInput(COMPONENT)

const UUID_ARGUMENT = { uuid: required(GraphQLID, 'The uuid of the component.') }

export const COMPONENT_QUERIES: OperationFields = {
  components: operation({
    right: COMPONENT.rights.read,
    keepsWithin: true,
    type: nonNull(pageType(COMPONENT_TYPE, 'component')),
    description: 'The components of the domain by name, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: optional(entityFilter(COMPONENT), 'Selects some of them. Left out: all.') },
    resolve: async ({ context, actor }, args, info) =>
      pageView(
        args,
        await listComponents(context, actor, checkedFilter(COMPONENT, args.filter), pageRequest(args, info)),
      ),
  }),
  component: operation({
    right: COMPONENT.rights.read,
    keepsWithin: true,
    type: COMPONENT_TYPE,
    description: 'A component; null if there is none.',
    args: UUID_ARGUMENT,
    resolve: ({ context, actor }, { uuid }) => findComponent(context, actor, checkUuid(uuid, 'uuid')),
  }),
}

/** The maximum number of components in one request. More need several requests. */
export const MOST_COMPONENTS = 1_000

export const COMPONENT_MUTATIONS: OperationFields = {
  createComponent: operation({
    right: COMPONENT.rights.write,
    keepsWithin: true,
    type: nonNull(COMPONENT_TYPE),
    description:
      'Creates a component from a component model. If you send it again with its uuid, the answer is the stored component. If its content, with the defaults of fields that you leave out, differs from the stored component, the answer is CONFLICT.',
    args: { input: required(COMPONENT_INPUT, 'The new component.') },
    async resolve(call, { input: given }) {
      const [created] = await create(call, [given])
      if (created === undefined) throw new Error('a component that was just created was not found')
      return created
    },
  }),
  createComponents: operation({
    right: COMPONENT.rights.write,
    keepsWithin: true,
    type: nonNull(list(COMPONENT_TYPE)),
    description: `Creates up to ${MOST_COMPONENTS} components, all or none, like createComponent. Components that are stored already are returned unchanged. Errors name their place, such as /input/3/name.`,
    args: { input: required(list(COMPONENT_INPUT), 'The new components.') },
    resolve: async (call, { input: given }) => create(call, given),
  }),
  updateComponent: operation({
    right: COMPONENT.rights.write,
    keepsWithin: true,
    type: nonNull(COMPONENT_TYPE),
    description: 'Changes the given fields of a component. An ARCHIVED component takes no more data.',
    args: { ...UUID_ARGUMENT, input: required(entityPatch(COMPONENT), 'What to change.') },
    resolve: ({ context, actor }, { uuid, input: patch }) =>
      updateComponent(context, actor, checkUuid(uuid, 'uuid'), patch),
  }),
}

async function create({ context, actor }: Call, given: readonly NewComponent[]): Promise<readonly Component[]> {
  if (given.length <= MOST_COMPONENTS) return createComponents(context, actor, given)
  const message = `input has ${given.length} components, and ${MOST_COMPONENTS} is the most; send several requests`
  throw new HoldfastError('LIMIT_EXCEEDED', message)
}
