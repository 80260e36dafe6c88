import { GraphQLID, GraphQLString } from 'graphql'
import { findSetpoint, findSetpoints, listSetpoints } from '../../platform/setpoints/list-setpoints.ts'
import type { ModelSetting, ComponentSetting } from '../../platform/setpoints/model-settings.ts'
import { setSetpoints } from '../../platform/setpoints/set-setpoints.ts'
import { checkName, checkNames, checkUuid, checkUuids } from '../checked-arguments.ts'
import { SETPOINT } from '../../records/entities.ts'
import { checkedFilter, entityFilter, nodeType } from './entities.ts'
import { operation, type OperationFields } from './operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from './page.ts'
import { DATE_TIME, DURATION, JSON_VALUE, TEXTS, UUIDS } from './scalars.ts'
import { enumOf, input, list, nonNull, optional, required, type ValueOf } from './typed.ts'

// People and programs set setpoints. A device sees the setpoints of its own system, and answers them by REST.

const ORDER = enumOf<'newest first' | 'oldest first'>(
  'SetpointOrder',
  'The order of setpoints, by the time at which they were made.',
  { 'newest first': null, 'oldest first': null },
)

export const SETPOINT_TYPE = nodeType(SETPOINT, {
  find: ({ context, actor }, uuids) => findSetpoints(context, actor, uuids),
})

const SETTING = {
  service: required(GraphQLString, 'The uuid or the record key of the service.'),
  characteristic: required(
    GraphQLString,
    'The uuid or the record key of the characteristic, whose characteristicType is SETTING.',
  ),
  value: required(JSON_VALUE, 'A value in the form of a datapoint. The rules of the characteristic apply.'),
}

const COMPONENT_SETPOINT = input('ComponentSetpointInput', 'A value for one component.', {
  component: required(GraphQLID, 'The uuid of the component.'),
  ...SETTING,
})

const MODEL_SETPOINT = input(
  'ModelSetpointInput',
  'A value for all components of a component model. Components that are not ACTIVATED are left out. Everything that you name must exist.',
  {
    componentModel: required(GraphQLString, 'The record key of the component model.'),
    systems: optional(UUIDS, 'Only components of these systems.'),
    organizationUnits: optional(
      TEXTS,
      'Only components of systems in these organizations or units, or in units below them; record keys.',
    ),
    ...SETTING,
  },
)

function componentSetting(
  { component, ...setting }: ValueOf<typeof COMPONENT_SETPOINT>,
  index: number,
): ComponentSetting {
  return { ...named(setting), component: checkUuid(component, `components[${index}].component`) }
}

function modelSetting(
  { systems, organizationUnits, ...setting }: ValueOf<typeof MODEL_SETPOINT>,
  index: number,
): ModelSetting {
  return {
    ...named(setting),
    ...(systems && { systems: checkUuids(systems, `models[${index}].systems`) }),
    ...(organizationUnits && {
      organizationUnits: checkNames(
        organizationUnits,
        `models[${index}].organizationUnits`,
        'a record key of the filter',
      ),
    }),
  }
}

function named<Setting extends { readonly service: string; readonly characteristic: string }>(
  setting: Setting,
): Setting {
  const { service, characteristic } = setting
  return {
    ...setting,
    service: checkName(service, 'a service'),
    characteristic: checkName(characteristic, 'a characteristic'),
  }
}

export const SETPOINT_QUERIES: OperationFields = {
  setpoints: operation({
    right: SETPOINT.rights.read,
    keepsWithin: true,
    type: nonNull(pageType(SETPOINT_TYPE, 'setpoint')),
    description: 'The setpoints of the domain, page by page.',
    args: {
      ...PAGE_ARGUMENTS,
      filter: optional(entityFilter(SETPOINT), 'Selects some of them. Left out: all.'),
      order: optional(ORDER, 'Left out: NEWEST_FIRST.'),
    },
    async resolve({ context, actor }, args, info) {
      const page = { ...pageRequest(args, info), isOldestFirst: args.order === 'oldest first' }
      return pageView(args, await listSetpoints(context, actor, checkedFilter(SETPOINT, args.filter), page))
    },
  }),
  setpoint: operation({
    right: SETPOINT.rights.read,
    keepsWithin: true,
    type: SETPOINT_TYPE,
    description: 'A setpoint; null if there is none.',
    args: { uuid: required(GraphQLID, 'The uuid of the setpoint.') },
    resolve: ({ context, actor }, { uuid }) => findSetpoint(context, actor, checkUuid(uuid, 'uuid')),
  }),
}

export const SETPOINT_MUTATIONS: OperationFields = {
  setSetpoints: operation({
    right: SETPOINT.rights.write,
    keepsWithin: true,
    type: nonNull(list(SETPOINT_TYPE)),
    description:
      'Sets values of components, all of them or none, 10,000 at most. A newer setpoint of the same characteristic supersedes one that is not applied yet.',
    args: {
      components: optional(list(COMPONENT_SETPOINT), 'Values for single components.'),
      models: optional(list(MODEL_SETPOINT), 'Values for all components of a component model.'),
      expiresAt: optional(
        DATE_TIME,
        'When setpoints that are not applied expire; RFC 3339. Left out: they never expire.',
      ),
      expiresIn: optional(DURATION, 'Instead of expiresAt: the time from now as an ISO 8601 duration, such as PT15M.'),
    },
    async resolve({ context, actor }, { components, models, ...expiry }) {
      return setSetpoints(context, actor, {
        components: (components ?? []).map(componentSetting),
        models: (models ?? []).map(modelSetting),
        ...expiry,
      })
    },
  }),
}
