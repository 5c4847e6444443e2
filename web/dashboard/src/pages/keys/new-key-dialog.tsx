import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { KeyKind } from '../../../../../src/base/api/operation.ts'
import type { CreateApiKeyBody } from '../../../../../src/features/accounts/operations/organization.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { openDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useSession } from '../../app/session.ts'
import { listOf, textOf } from '../../forms/draft.ts'
import type { Draft, Entry } from '../../forms/field-spec.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { plural, t } from '../../words/words.ts'
import { curlLine, searchCurlLine } from './curl-line.ts'

export const createKey = () => openDialog((close) => <KeyForm onClose={close} />)

/**
 * Creates a key. Its text exists only in the state of the next dialog, not in any cache, URL, storage or log, and is
 * discarded when that dialog closes.
 */
function KeyForm({ onClose }: { onClose: () => void }) {
  const maxDays = useQuery(internalQuery('getOrganization')).data?.maxKeyDays ?? null
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  const offered = ['7', '30', '60', '90', ''].filter(
    (days) => maxDays === null || (days !== '' && Number(days) <= maxDays),
  )
  const daysIn = (draft: Draft) => {
    const chosen = textOf(draft, 'expiresInDays')
    return offered.includes(chosen) ? chosen : (offered.at(-1) ?? '7')
  }
  const projectsIn = ({ kind, isForAll, ...draft }: Draft) =>
    kind === 'assistant'
      ? [textOf(draft, 'project')].filter(Boolean)
      : isForAll === 'all'
        ? null
        : listOf(draft, 'projectIds')
  return (
    <FieldsDialog<CreateApiKeyBody>
      operation="createApiKey"
      title={t('New API key')}
      action={t('Create the key')}
      initial={{ kind: 'admin', scope: 'read', isForAll: 'all', expiresInDays: '90' }}
      isOff={(draft) => projectsIn(draft)?.length === 0}
      fields={(draft) => [
        {
          name: 'name',
          label: t('Name'),
          help: t('Name the program that will use the key, so that you can recognize the key later.'),
          placeholder: t('Nightly report'),
          input: { required: true, autoFocus: true, autocomplete: 'off' },
        },
        {
          name: 'kind',
          kind: 'radio',
          label: t('Kind'),
          choices: [
            { value: 'admin', label: t('Admin key'), about: t('For the API of the organization.') },
            {
              value: 'assistant',
              label: t('Assistant key'),
              about: t('For the assistant, search and public pages of one project, and nothing else.'),
            },
          ],
        },
        ...scopeFields(draft, projects),
        {
          name: 'expiresInDays',
          kind: 'segments',
          label: t('Lifetime'),
          help: lifetimeHint(daysIn(draft), maxDays),
          choices: offered.map((value) => ({
            value,
            label: value === '' ? t('Unlimited') : plural(Number(value), '{count} day', '{count} days'),
          })),
        },
        {
          name: 'allowList',
          kind: 'lines',
          label: t('Only from these addresses'),
          help: t('One address or range per line: 203.0.113.7 or 10.0.0.0/8.'),
          isMono: true,
          input: { rows: 2, class: 'min-h-15' },
        },
      ]}
      onSubmit={async ({ name, allowList }, draft) => {
        const kind = textOf(draft, 'kind') as KeyKind
        const projectIds = projectsIn(draft)
        const { text } = await internal('createApiKey', {
          body: {
            name,
            kind,
            ...(kind === 'admin' && { scopes: draft.scope === 'read' ? ['read'] : ['read', 'write'] }),
            expiresInDays: (Number(daysIn(draft)) || null) as 7 | null,
            allowList: allowList ?? [],
            ...(projectIds !== null && { projectIds: [...projectIds] }),
          },
        })
        void queryClient.invalidateQueries({ queryKey: internalKey('listApiKeys') })
        onClose()
        openDialog((close) => <CreatedKey text={text} kind={kind} onClose={close} />)
      }}
      onClose={onClose}
    />
  )
}

/** Returns fields for the scopes and projects of the key; an assistant key has one project and no scopes. */
function scopeFields(draft: Draft, projects: readonly { id: string; name: string }[]): readonly Entry[] {
  const isAdmin = draft.kind !== 'assistant'
  const choices = projects.map(({ id, name }) => ({ value: id, label: name }))
  return [
    {
      name: 'scope',
      kind: 'radio',
      label: t('Access'),
      isHidden: !isAdmin,
      choices: [
        {
          value: 'read',
          label: t('Read', { context: 'scope' }),
          about: t('Read feedback, jobs and exports.'),
        },
        {
          value: 'write',
          label: t('Read and write'),
          about: t('Also set statuses and start jobs and exports, if your role allows it.'),
        },
      ],
    },
    {
      name: 'isForAll',
      kind: 'radio',
      label: t('For which projects'),
      isHidden: !isAdmin,
      choices: [
        { value: 'all', label: t('All projects'), about: t('Including future projects.') },
        {
          value: 'some',
          label: t('Only these projects'),
          about: t('The key cannot access other projects or change the organization.'),
          isOff: projects.length === 0,
        },
      ],
    },
    {
      name: 'projectIds',
      kind: 'checks',
      label: t('Projects'),
      isHidden: !isAdmin || draft.isForAll === 'all',
      choices,
    },
    { name: 'project', kind: 'radio', label: t('For which project'), isHidden: isAdmin, choices },
  ]
}

function lifetimeHint(days: string, maxDays: number | null): string | undefined {
  if (days === '') return t('A key that never expires stays a risk for as long as it exists.')
  return maxDays === null
    ? undefined
    : plural(
        maxDays,
        'The organization limits keys to {count} day.',
        'The organization limits keys to {count} days.',
      )
}

/** Shows the new key. Escape and clicks outside only warn, so that the key is not lost by accident. */
function CreatedKey({ text, kind, onClose }: { text: string; kind: KeyKind; onClose: () => void }) {
  const { publicUrl } = useSession()
  const [isWarned, setWarned] = useState(false)
  const { data } = useQuery(projectsQuery())
  return (
    <Dialog
      title={t('Copy your key now')}
      about={t('It is shown only once. Only a hash is stored, so it cannot be shown again.')}
      onClose={() => setWarned(true)}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('I have copied it')}
        </Button>
      }
    >
      <div role="alert">
        {isWarned && (
          <p class="mb-3 text-13 text-warning">
            {t('Save the key first, then choose “I have copied it”. It cannot be shown again.')}
          </p>
        )}
      </div>
      <CopyField text={text} label={t('The new API key')} />
      <p class="mt-4 mb-2 text-13 text-soft">{t('Try it:')}</p>
      <CodeBlock
        lang="shell"
        text={
          kind === 'assistant'
            ? searchCurlLine(publicUrl)
            : curlLine(publicUrl, data?.projects[0]?.id ?? '{projectId}')
        }
      />
    </Dialog>
  )
}
