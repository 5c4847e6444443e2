/** Settings of previews: which branches get a preview, who may read it, and how long it is retained. */

import type { PreviewSettings } from '../../../../../src/features/hosting/operations/previews.ts'
import type { Publishing } from '../../../../../src/features/hosting/operations/publishing.ts'
import { internal } from '../../api/internal.ts'
import { toast } from '../../app/toasts.ts'
import { FieldsForm } from '../../forms/fields-form.tsx'
import { t } from '../../words/words.ts'

const MODES = [
  { value: 'off', label: t('Off'), about: t('Previews are created only on request.') },
  {
    value: 'pull_requests',
    label: t('Pull requests'),
    about: t('Deploys a preview for each open pull request. Requires the webhook.'),
  },
  { value: 'branches', label: t('Branches'), about: t('Branches that match the patterns below.') },
] as const

const ACCESS = [
  {
    value: 'public',
    label: t('Anyone with the URL'),
    about: t('It cannot be guessed, and search engines do not index it.'),
  },
  { value: 'members', label: t('Members'), about: t('After signing in to this dashboard.') },
  {
    value: 'password',
    label: t('With a password'),
    about: t('The site’s passwords, signed links and member accounts also open its previews.'),
  },
] as const

interface PreviewSettingsFormProps {
  projectId: string
  publishing: Publishing
  onSaved: (publishing: Publishing) => void
}

export function PreviewSettingsForm({ projectId, publishing, onSaved }: PreviewSettingsFormProps) {
  const isPossible = publishing.previewDomain !== null
  const params = { projectId }
  return (
    <section class="space-y-4">
      <div>
        <h3 class="font-medium">{t('Previews')}</h3>
        <p class="text-13 text-soft">
          {isPossible
            ? t('Built with each push, linked in the pull request, and removed when it is merged or closed.')
            : t(
                'The plan does not include previews, or this server has no preview domain. Operators can set one on the Server page.',
              )}
        </p>
      </div>
      {isPossible && (
        <FieldsForm<{ previews: PreviewSettings }>
          operation="updatePublishing"
          initial={publishing}
          look="secondary"
          action={t('Save')}
          fields={({ 'previews/mode': mode }) => [
            { name: 'previews/mode', kind: 'radio', label: t('Create previews for'), choices: MODES },
            {
              name: 'previews/branches',
              label: t('Branch names'),
              help: t('Separated by commas; * matches anything.'),
              isHidden: mode !== 'branches',
            },
            { name: 'previews/access', kind: 'radio', label: t('Who can read previews'), choices: ACCESS },
            { name: 'previews/days', label: t('Remove after this many days without a push') },
            {
              name: 'previews/forks',
              label: t('Pull requests from forks'),
              help: t(
                'Anyone can open a pull request from a fork. Its scripts run in the browser of anyone who opens the preview.',
              ),
            },
          ]}
          onSubmit={async ({ previews }) => {
            const body = { previews: { ...publishing.previews, ...previews } }
            onSaved(await internal('updatePublishing', { params, body }))
            toast({ kind: 'done', title: t('Saved') })
          }}
        />
      )}
    </section>
  )
}
