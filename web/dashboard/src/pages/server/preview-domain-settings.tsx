import type { InstancePreviews } from '../../../../../src/features/hosting/operations/preview-settings.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { textOf } from '../../forms/draft.ts'
import type { Draft, Entry } from '../../forms/field-spec.ts'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Notice } from '../../ui/card.tsx'
import { plural, t } from '../../words/words.ts'
import { EnvironmentSettings, FindingList, LastChange } from './server-settings.tsx'

const EXAMPLE_DOMAIN = 'previews.example.net'

export function PreviewDomainSettings({ stored: previews }: { stored: InstancePreviews }) {
  if (previews.source === 'environment')
    return <EnvironmentSettings variables={previews.variables} rows={[[t('Domain'), previews.domain]]} />
  return (
    <>
      <SettingsForm<InstancePreviews, { domain: string | null }>
        operation="updateInstancePreviews"
        stored={previews}
        read={({ source, domain }) => ({ domain: source === 'dashboard' ? domain : '' })}
        fields={domainFields}
        trial={{
          isOn: (draft) => textOf(draft, 'domain').trim() !== '',
          run: async (body) => {
            const findings = await internal('testInstancePreviews', { body })
            const hasPassed = findings.faults.length === 0
            return {
              hasPassed,
              tone: findings.notes.length > 0 ? 'warning' : 'success',
              title: hasPassed
                ? t('Names below this domain resolve to this server')
                : t('Readers could not open previews there'),
              details: <FindingList {...findings} />,
            }
          },
        }}
        save={async (_, { body }) => {
          const saved = await internal('updateInstancePreviews', { body })
          queryClient.setQueryData(internalKey('getInstancePreviews'), saved)
          return saved
        }}
      />
      <LastChange of={previews} />
    </>
  )
}

function domainFields(draft: Draft, { domain, open, usual }: InstancePreviews): readonly Entry[] {
  const wanted = textOf(draft, 'domain').trim() || usual
  const rule = t(
    'Point a wildcard DNS record ({example}) at this server, with a certificate for these names. Use a domain with nothing else below it.',
    { example: `*.${EXAMPLE_DOMAIN}` },
  )
  const without =
    usual === null
      ? t('Leave it empty to turn off previews.')
      : t('Leave it empty to use {domain}, which works only on this machine.', { domain: usual })
  return [
    {
      name: 'domain',
      label: t('Domain'),
      isMono: true,
      help: `${rule} ${without}`,
      input: { autocomplete: 'off' },
    },
    draft.domain !== undefined && domain !== null && open > 0 && domain !== wanted && (
      <Notice tone="warning" title={formatMovedPreviews(open, wanted)}>
        <p>
          {t(
            'Within seconds, the URLs below {domain} stop working, and anyone who was signed in to a preview must sign in again.',
            { domain },
          )}
        </p>
        {wanted !== null && (
          <p>{t('Pull requests get the new URLs; links that were shared manually stop working.')}</p>
        )}
      </Notice>
    ),
  ]
}

function formatMovedPreviews(open: number, wanted: string | null): string {
  return wanted === null
    ? plural(open, '{count} preview will have no URL', '{count} previews will have no URL')
    : plural(open, '{count} preview moves to a new URL', '{count} previews move to new URLs')
}
