import { useState } from 'preact/hooks'
import type {
  GitCredential,
  GitTokenTrial,
} from '../../../../../src/features/projects/operations/git-credentials.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Notice } from '../../ui/card.tsx'
import { OriginalMessage } from '../../ui/original-message.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { translateFinding } from '../../words/finding.ts'
import { plural, rich, t } from '../../words/words.ts'

const EXAMPLE_PREFIX = 'github.com/acme'

/** Adds a token, or replaces that of `credential`. The token exists only in this component's state. */
export function TokenDialog({
  credential,
  onClose,
}: {
  credential: GitCredential | null
  onClose: () => void
}) {
  // Problems that the forge reported for exactly this token; submitting it again saves it anyway.
  const [doubt, setDoubt] = useState<{ about: string; trial: GitTokenTrial } | null>(null)
  const isDoubted = ({ prefix, token }: object & { prefix?: unknown; token?: unknown }) =>
    doubt?.about === `${prefix} ${token}`
  const save = async (body: { prefix: string; token: string }, about: string) => {
    const trial = doubt?.about === about ? doubt.trial : await internal('testGitCredential', { body })
    if (doubt?.about !== about && isRejectedOrTooWeak(trial)) return setDoubt({ about, trial })
    const { token } = body
    const saved =
      credential === null
        ? await internal('createGitCredential', { body })
        : await internal('replaceGitCredential', {
            params: { credentialId: credential.id },
            body: { token },
          })
    await queryClient.invalidateQueries({ queryKey: internalKey('listGitCredentials') })
    toast({
      kind: 'done',
      title: t('The token for {prefix} is saved', { prefix: saved.prefix }),
      detail: describeTrial(trial),
    })
    onClose()
  }
  return (
    <FieldsDialog<{ prefix?: string; token: string }>
      operation="createGitCredential"
      title={
        credential === null
          ? t('Add a token')
          : t('Replace the token for {prefix}', { prefix: credential.prefix })
      }
      action={(draft) => (isDoubted(draft) ? t('Save anyway') : t('Save the token'))}
      initial={{ prefix: credential?.prefix ?? '' }}
      fields={(draft) => [
        {
          name: 'prefix',
          label: t('Host, optionally with a path'),
          isHidden: credential !== null,
          isMono: true,
          help: t('As in the repository’s URL. For example, {example} covers everything below it.', {
            example: EXAMPLE_PREFIX,
          }),
          input: { required: true, autoFocus: true },
        },
        {
          name: 'token',
          kind: 'secret',
          label: t('Token'),
          help: t(
            'It needs read and write access to contents and pull requests. It is stored encrypted, and never shown again.',
          ),
          input: { required: true, ...(credential !== null && { autoFocus: true }) },
        },
        isDoubted(draft) && doubt !== null && <TokenTrialNotice trial={doubt.trial} />,
      ]}
      onSubmit={(body, draft) =>
        save({ prefix: credential?.prefix ?? '', ...body }, `${draft.prefix} ${draft.token}`)
      }
      onClose={onClose}
    />
  )
}

/** Returns whether the token is rejected or too weak. An unreachable or unknown forge needs no confirmation. */
function isRejectedOrTooWeak({ failure, repositories }: GitTokenTrial): boolean {
  if (failure !== null) return failure.isRefused
  return !repositories.some(({ mayWrite }) => mayWrite !== false)
}

const MAX_NAMED = 5

/** Result of testing a token; names and messages come from the forge. */
function TokenTrialNotice({ trial: { failure, repositories, isPartial } }: { trial: GitTokenTrial }) {
  if (failure !== null) {
    const translation = translateFinding(failure)
    return (
      <div role="alert">
        <Notice
          tone={failure.isRefused ? 'danger' : 'warning'}
          title={translation?.meaning ?? failure.sentence}
        >
          {translation && <OriginalMessage text={translation.original} />}
        </Notice>
      </div>
    )
  }
  const writable = repositories.filter(({ mayWrite }) => mayWrite !== false)
  const isGood = writable.length > 0
  return (
    <div role="status">
      <Notice
        tone={isGood ? 'success' : 'warning'}
        title={trialTitle(repositories, writable.length, isPartial)}
      >
        {repositories.length > 0 && <RepositoryNames repositories={isGood ? writable : repositories} />}
        {isGood && (
          <p>
            {t(
              'Reporting previews also needs permission for commit statuses, which the test does not check.',
            )}
          </p>
        )}
      </Notice>
    </div>
  )
}

function RepositoryNames({ repositories }: { repositories: GitTokenTrial['repositories'] }) {
  const shown = repositories.slice(0, MAX_NAMED).map(({ name }) => name)
  const names = <PlainText text={shown.join(', ')} />
  return <p>{repositories.length > MAX_NAMED ? rich('{names} and others', { names }) : names}</p>
}

function describeTrial({ failure, repositories, isPartial }: GitTokenTrial): string {
  if (failure !== null) return translateFinding(failure)?.meaning ?? failure.sentence
  const writable = repositories.filter(({ mayWrite }) => mayWrite !== false).length
  return t('{sentence}.', { sentence: trialTitle(repositories, writable, isPartial) })
}

function trialTitle(
  repositories: GitTokenTrial['repositories'],
  writable: number,
  isPartial: boolean,
): string {
  if (repositories.length === 0)
    return t('The forge accepts the token, but the token cannot see any repository there')
  if (writable === 0)
    return t('The token can read but not write: agent jobs cannot push branches or open pull requests')
  if (repositories.every(({ mayWrite }) => mayWrite === null))
    return formatSeenCount(repositories.length, isPartial)
  return isPartial
    ? plural(
        writable,
        'The token can write to at least {count} repository',
        'The token can write to at least {count} repositories',
      )
    : plural(
        writable,
        'The token can write to {count} repository',
        'The token can write to {count} repositories',
      )
}

function formatSeenCount(seen: number, isPartial: boolean): string {
  return isPartial
    ? plural(
        seen,
        'The token sees at least {count} repository; the forge does not say where it can write',
        'The token sees at least {count} repositories; the forge does not say where it can write',
      )
    : plural(
        seen,
        'The token sees {count} repository; the forge does not say where it can write',
        'The token sees {count} repositories; the forge does not say where it can write',
      )
}
