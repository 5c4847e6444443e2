/** Credentials entered by the reader. */
import { useCallback, useState } from 'preact/hooks'
import type { PlaygroundScheme } from '../../../src/openapi/playground-data.ts'
import type { SchemeState } from './auth-form.tsx'
import { credentialKey, readCredential, storeCredential } from './playground-storage.ts'

export function useCredentials(address: string) {
  const [typed, setTyped] = useState<Readonly<Record<string, SchemeState>>>({})
  const stateOf = useCallback(
    (scheme: PlaygroundScheme): SchemeState => {
      const key = credentialKey(address, scheme)
      return typed[key] ?? fillInitialCredential(scheme, readCredential(key))
    },
    [address, typed],
  )
  const onCredential = (scheme: PlaygroundScheme, state: SchemeState) => {
    const key = credentialKey(address, scheme)
    storeCredential(key, state.typed, state.isRemembered)
    setTyped((all) => ({ ...all, [key]: state }))
  }
  return { stateOf, onCredential }
}

/** Fills in `x-default` of a scheme until the reader types something. */
function fillInitialCredential(scheme: PlaygroundScheme, known: SchemeState): SchemeState {
  const initial = 'initial' in scheme ? scheme.initial : ''
  if (initial === '' || Object.keys(known.typed).length > 0) return known
  return scheme.kind === 'basic' ? known : { ...known, typed: { token: initial } }
}
