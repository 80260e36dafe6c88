import type { MetadataType } from './document.ts'

/** What the corpus says about its records beyond their own fields. */
export const METADATA_TYPES: readonly MetadataType[] = [
  text('CHARACTERISTIC', 'property', 'Name of the property in messages of the device'),
  text('CHARACTERISTIC', 'category', 'What the property is for: state, action, config, diagnostic or options'),
  text('SERVICE', 'category', 'What the properties of the service are for'),
  count('SERVICE', 'characteristic-count', 'How many characteristics the service has'),
  text('COMPONENT_MODEL', 'vendor', 'Who sells the device'),
  text('COMPONENT_MODEL', 'model', 'Model number on the device'),
  text('COMPONENT_MODEL', 'data-source', 'Data source that defines the device'),
  text('COMPONENT_MODEL', 'zigbee-model', 'Model identifiers that the device sends'),
  text('COMPONENT_MODEL', 'manufacturer-name', 'Manufacturer names that the device sends'),
  text('COMPONENT_MODEL', 'white-label-of', 'The device that this one is sold instead of'),
  count('COMPONENT_MODEL', 'option-count', 'How many options the device has'),
  {
    entityType: 'COMPONENT_MODEL',
    key: 'over-the-air-updates',
    dataType: 'BOOLEAN',
    description: 'Whether firmware can be updated over the air',
  },
  { ...text('EVENT_MODEL', 'action', 'Value of the property "action"'), unique: true },
  count('ORGANIZATION', 'model-count', 'How many models the vendor sells'),
]

function text(entityType: MetadataType['entityType'], key: string, description: string): MetadataType {
  return { entityType, key, dataType: 'STRING', description }
}

function count(entityType: MetadataType['entityType'], key: string, description: string): MetadataType {
  return { entityType, key, dataType: 'INTEGER', description }
}
