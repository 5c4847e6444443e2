import type { FormValue } from '../../../src/openapi/form-value.ts'

export function jsonText(value: FormValue): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
