import { useState } from 'preact/hooks'
import type {
  GitCredential,
  GitTokenTrial,
} from '../../../../../src/features/projects/operations/git-credentials.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { describeTrial, TokenTrialNotice } from './token-trial.tsx'

const FIELDS = ['prefix', 'token'] as const
const EXAMPLE_PREFIX = 'github.com/acme'

/** Adds a token, or replaces that of `credential`. The token exists only in this component's state. */
export function TokenDialog({
  credential,
  onClose,
}: {
  credential: GitCredential | null
  onClose: () => void
}) {
  const [prefix, setPrefix] = useState(credential?.prefix ?? '')
  const [token, setToken] = useState('')
  // Problems that the forge reported for exactly this token; submitting it again saves it anyway.
  const [doubt, setDoubt] = useState<{ about: string; trial: GitTokenTrial } | null>(null)
  const about = `${prefix} ${token}`
  const isDoubted = doubt?.about === about
  const save = async () => {
    const body = { token: token.trim() }
    const trial = isDoubted
      ? doubt.trial
      : await internal('testGitCredential', { body: { ...body, prefix: prefix.trim() } })
    if (!isDoubted && hasDoubts(trial)) return setDoubt({ about, trial })
    const saved =
      credential === null
        ? await internal('createGitCredential', { body: { ...body, prefix: prefix.trim() } })
        : await internal('replaceGitCredential', { params: { credentialId: credential.id }, body })
    await queryClient.invalidateQueries({ queryKey: internalKey('listGitCredentials') })
    toast({
      kind: 'done',
      title: t('The token for {prefix} is saved', { prefix: saved.prefix }),
      detail: describeTrial(trial),
    })
    onClose()
  }
  return (
    <FormDialog
      title={titleFor(credential)}
      action={isDoubted ? t('Save anyway') : t('Save the token')}
      fields={FIELDS}
      onSubmit={save}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {credential === null && <PrefixField prefix={prefix} error={faults.prefix} onText={setPrefix} />}
          <SecretField token={token} error={faults.token} onText={setToken} />
          {isDoubted && <TokenTrialNotice trial={doubt.trial} />}
        </>
      )}
    </FormDialog>
  )
}

function titleFor(credential: GitCredential | null): string {
  if (credential === null) return t('Add a token')
  return t('Replace the token for {prefix}', { prefix: credential.prefix })
}

function SecretField({
  token,
  error,
  onText,
}: {
  token: string
  error: string | undefined
  onText: (text: string) => void
}) {
  return (
    <TextField
      label={t('Token')}
      error={error}
      hint={t(
        'It needs read and write access to contents and pull requests. It is stored encrypted, and never shown again.',
      )}
      required
      type="password"
      isMono
      maxLength={4000}
      autocomplete="off"
      value={token}
      onText={onText}
    />
  )
}

/** Returns whether the token is rejected or too weak. An unreachable or unknown forge needs no confirmation. */
function hasDoubts({ failure, repositories }: GitTokenTrial): boolean {
  if (failure !== null) return failure.isRefused
  return !repositories.some(({ mayWrite }) => mayWrite !== false)
}

function PrefixField({
  prefix,
  error,
  onText,
}: {
  prefix: string
  error: string | undefined
  onText: (prefix: string) => void
}) {
  return (
    <TextField
      label={t('Host, optionally with a path')}
      error={error}
      hint={t('As in the address of the repository: {example} covers everything below it.', {
        example: EXAMPLE_PREFIX,
      })}
      required
      autoFocus
      isMono
      maxLength={500}
      placeholder={EXAMPLE_PREFIX}
      autocomplete="off"
      value={prefix}
      onText={onText}
    />
  )
}
