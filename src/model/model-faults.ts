/** Validates the name of a chosen model. */
import { type Fault, faultAt } from '../base/errors/fault.ts'
import { FORM_FAULTS } from '../base/errors/form-faults.ts'
import { PROVIDER_NAMES, parseModelName } from './providers.ts'

const SENTENCE = `must be a provider and a model, such as anthropic:claude-sonnet-4-5; the providers are ${PROVIDER_NAMES.filter((name) => name !== 'replay').join(', ')}`

/** Validates a model name that passed the schema. Null and undefined mean that no model was chosen. */
export function modelFaults(model: unknown, field: string): Fault[] {
  if (typeof model !== 'string' || model === '') return []
  try {
    const { provider } = parseModelName(model)
    return provider === 'replay' ? [faultAt(field, FORM_FAULTS.recordedModel)] : []
  } catch (error) {
    if (error instanceof RangeError) return [faultAt(field, SENTENCE)]
    throw error
  }
}
