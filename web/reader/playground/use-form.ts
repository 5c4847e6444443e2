import { useEffect, useState } from 'preact/hooks'
import type { PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { VARIABLES_EVENT } from '../server-variables.ts'
import { createForm, type FormState, pickServerVariables } from './form-state.ts'

/** State of a form and a function to update it. Follows changes that scripts of the site make to variables. */
export function useForm(data: PlaygroundData, server: string | null, wantsExample: boolean) {
  const [form, setForm] = useState<FormState>(() => createForm(data, server, wantsExample))
  const change = (more: Partial<FormState>) => setForm((now) => ({ ...now, ...more }))
  useEffect(() => {
    const follow = () => change({ given: pickServerVariables(data) })
    addEventListener(VARIABLES_EVENT, follow)
    return () => removeEventListener(VARIABLES_EVENT, follow)
  }, [data])
  return { form, change }
}
