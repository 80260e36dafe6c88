import type { ConsolePage } from '../page.ts'
import { API_PAGE } from './api/api.ts'
import { APPLICATION_CONSUMER_PAGE } from './application-consumers/application-consumer.ts'
import { APPLICATION_CONSUMERS_PAGE } from './application-consumers/application-consumers.ts'
import { NEW_APPLICATION_CONSUMER_PAGE } from './application-consumers/new.ts'
import { APPLIES_PAGE } from './applies/applies.ts'
import { APPLY_PAGE } from './applies/apply.ts'
import { AUTH_METHOD_PAGE } from './auth-methods/auth-method.ts'
import { AUTH_METHODS_PAGE } from './auth-methods/auth-methods.ts'
import { NEW_AUTH_METHOD_PAGE } from './auth-methods/new.ts'
import { DELETIONS_PAGE } from './applies/deletions.ts'
import { DRIFT_PAGE } from './applies/drift.ts'
import { HOME_PAGE } from './home/home.ts'
import { COMPONENT_METADATA_PAGE, RECORD_METADATA_PAGE, SYSTEM_METADATA_PAGE, USER_METADATA_PAGE } from './metadata.ts'
import { RECORD_PAGE } from './model/record.ts'
import { MODEL_PAGE, RECORDS_PAGE } from './model/records.ts'
import { MACHINE_USERS_PAGE } from './machine-users/machine-users.ts'
import { ORGANIZATION_PAGE } from './organizations/organization.ts'
import { ORGANIZATIONS_PAGE } from './organizations/organizations.ts'
import { KEYS_PAGE } from './keys.ts'
import { NEW_PLAN_PAGE } from './plans/new-plan.ts'
import { PLAN_PAGE } from './plans/plan.ts'
import { SEARCH_PAGE } from './search/search.ts'
import { ANALYSE_PAGE } from './systems/analyse/analyse.ts'
import { SET_PAGE } from './systems/analyse/set/set.ts'
import { CREDENTIALS_PAGE } from './systems/credentials.ts'
import { EVENTS_PAGE } from './systems/events.ts'
import { NEW_SYSTEM_PAGE } from './systems/new.ts'
import { REFUSED_PAGE } from './systems/refused.ts'
import { SETPOINTS_PAGE } from './systems/setpoints.ts'
import { SYSTEM_PAGE } from './systems/system.ts'
import { SYSTEMS_PAGE } from './systems/systems.ts'
import { NEW_USER_PAGE } from './users/new.ts'
import { USER_PAGE } from './users/user.ts'
import { USERS_PAGE } from './users/users.ts'

/** All pages. The file of each page has the name of its address. */
export const PAGES: readonly ConsolePage[] = [
  HOME_PAGE,
  SEARCH_PAGE,
  KEYS_PAGE,
  API_PAGE,
  SYSTEMS_PAGE,
  NEW_SYSTEM_PAGE,
  SYSTEM_PAGE,
  SYSTEM_METADATA_PAGE,
  COMPONENT_METADATA_PAGE,
  SETPOINTS_PAGE,
  EVENTS_PAGE,
  REFUSED_PAGE,
  CREDENTIALS_PAGE,
  ANALYSE_PAGE,
  SET_PAGE,
  MODEL_PAGE,
  RECORDS_PAGE,
  RECORD_PAGE,
  RECORD_METADATA_PAGE,
  APPLIES_PAGE,
  APPLY_PAGE,
  ORGANIZATIONS_PAGE,
  ORGANIZATION_PAGE,
  USERS_PAGE,
  NEW_USER_PAGE,
  USER_PAGE,
  USER_METADATA_PAGE,
  MACHINE_USERS_PAGE,
  APPLICATION_CONSUMERS_PAGE,
  NEW_APPLICATION_CONSUMER_PAGE,
  APPLICATION_CONSUMER_PAGE,
  AUTH_METHODS_PAGE,
  NEW_AUTH_METHOD_PAGE,
  AUTH_METHOD_PAGE,
  DRIFT_PAGE,
  DELETIONS_PAGE,
  NEW_PLAN_PAGE,
  PLAN_PAGE,
]
