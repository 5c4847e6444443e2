/** What is wrong with the name of a model that somebody chose. */
import { type Fault, faultAt } from '../base/errors/fault.ts'
import { FORM_FAULTS } from '../base/errors/form-faults.ts'
import { PROVIDER_NAMES, parseModelName } from './providers.ts'

const SENTENCE = `must be a provider and a model, such as anthropic:claude-sonnet-4-5; the providers are ${PROVIDER_NAMES.filter((name) => name !== 'replay').join(', ')}`

/** Of what the schema lets through; null and what is left out are no choice. */
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
