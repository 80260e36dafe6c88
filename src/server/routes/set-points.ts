import type { Handler } from 'hono'
import { addSetpoints } from '../../platform/setpoints/add-setpoints.ts'
import { answerSetpoints } from '../../platform/setpoints/answer-setpoints.ts'
import type { AppEnv } from '../app-env.ts'
import {
  answer,
  BATCH_PROBLEMS,
  KEY_CONFLICT,
  partlyStored,
  SERVICE_CHANGE,
  STATE_CONFLICT,
} from '../openapi/responses.ts'
import { answerBatch } from './batch-answer.ts'
import {
  batchOf,
  CONTENT_ENCODING,
  IDEMPOTENCY_KEY,
  idempotency,
  POINT_EXAMPLE,
  PREFER_LENIENT,
  withBatch,
} from './batch-request.ts'
import { actAfterBody, contextFor, type RestRoute, type RestServices } from './rest-route.ts'

// See docs/decisions/0013.

export const ADD_SETPOINTS: RestRoute = {
  operation: 'POST /rest/v1/set-points/add',
  right: 'setpoints:write',
  keepsWithin: true,
  operationId: 'addSetpoints',
  tag: 'Setpoints',
  summary: 'Set values of devices',
  description:
    'Of characteristics whose characteristicType is SETTING. A newer setpoint of the same series supersedes an unfinished one.',
  parameters: [PREFER_LENIENT, IDEMPOTENCY_KEY, CONTENT_ENCODING],
  requestBody: batchOf('Setpoints', { one: { summary: 'A new target', value: [POINT_EXAMPLE] } }),
  responses: {
    201: answer('Everything is stored.', null, SERVICE_CHANGE),
    ...partlyStored(),
    ...BATCH_PROBLEMS,
    ...KEY_CONFLICT,
  },
  handle: addBatch,
}

function addBatch(services: RestServices): Handler<AppEnv> {
  const { platform } = services
  return (context) =>
    withBatch(context, services, 'setpoints', async ({ body, elements, lenient }) => {
      await actAfterBody(context, ADD_SETPOINTS, platform().authenticate)
      const access = contextFor(platform(), context)
      const result = await addSetpoints(access, context.get('actor'), elements, {
        lenient,
        ...idempotency(context.req.header('idempotency-key'), body),
      })
      return answerBatch(context, result, { isLenient: lenient, success: 201, what: ['setpoint', 'setpoints'] })
    })
}

export const ANSWER_SETPOINTS: RestRoute = {
  operation: 'POST /rest/v1/set-points/acknowledge',
  right: 'datapoints:write',
  keepsWithin: true,
  operationId: 'answerSetpoints',
  tag: 'Setpoints',
  summary: 'Answer setpoints as a device',
  description:
    'A repeated answer is accepted and changes nothing. Reporting the value as a datapoint also applies the setpoint.',
  parameters: [PREFER_LENIENT, CONTENT_ENCODING],
  requestBody: batchOf('Answers', {
    one: {
      summary: 'Done',
      value: [{ uuid: '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a005', state: 'APPLIED' }],
    },
  }),
  responses: {
    204: answer('Everything is accepted.', null, SERVICE_CHANGE),
    ...partlyStored(),
    ...BATCH_PROBLEMS,
    ...STATE_CONFLICT,
  },
  handle: takeAnswers,
}

function takeAnswers(services: RestServices): Handler<AppEnv> {
  const { platform } = services
  return (context) =>
    withBatch(context, services, 'answers', async ({ elements, lenient }) => {
      await actAfterBody(context, ANSWER_SETPOINTS, platform().authenticate)
      const result = await answerSetpoints(contextFor(platform(), context), context.get('actor'), elements, {
        lenient,
      })
      return answerBatch(context, result, { isLenient: lenient, success: 204, what: ['answer', 'answers'] })
    })
}
