import { type Fault, faultAt } from '../base/errors/fault.ts'
import { PROVIDER_NAMES, parseModelName } from './providers.ts'

const PROVIDERS = PROVIDER_NAMES.filter((name) => name !== 'replay')

/** Validates a model name that matches the schema. Null and undefined are valid. */
export function modelFaults(model: unknown, field: string): Fault[] {
  if (typeof model !== 'string' || model === '') return []
  try {
    const { provider } = parseModelName(model)
    return provider === 'replay' ? [faultAt(field, 'recorded_model')] : []
  } catch (error) {
    if (error instanceof RangeError) return [faultAt(field, 'model_name', { providers: PROVIDERS })]
    throw error
  }
}
