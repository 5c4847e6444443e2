import { STORAGE_HOLDER_LABELS } from '../../../../../src/base/api/retention.ts'
import type {
  OrganizationDetail,
  OrganizationStorage,
  UpdateOrganizationBody,
} from '../../../../../src/features/accounts/operations/organization.ts'
import { FactRows } from '../../ui/fact.tsx'
import { formatBytes } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { language, plural, rich, t, translateMessage } from '../../words/words.ts'
import { RetentionForm } from '../retention-form.tsx'

export function StorageSection({
  organization,
  isOff,
  save,
}: {
  organization: OrganizationDetail
  isOff: boolean
  save: (body: UpdateOrganizationBody) => Promise<OrganizationDetail>
}) {
  return (
    <>
      <Section
        title={t('Storage')}
        about={t('Data of this organization. Data that it shares with others is not counted.')}
      >
        <Use storage={organization.storage} />
      </Section>
      <Section title={t('Retention')} about={t('How long data is stored.')}>
        <RetentionForm
          operation="updateOrganization"
          stored={organization}
          isOff={isOff}
          kindsOf={({ storage }) => storage.retention}
          save={save as never}
        />
      </Section>
    </>
  )
}

function Use({ storage: { use, measuredAt } }: { storage: OrganizationStorage }) {
  if (measuredAt === null)
    return <p class="text-13 text-soft">{t('Not measured yet. Storage is measured once an hour.')}</p>
  const when = <RelativeTime at={measuredAt} />
  return (
    <>
      {use.length > 0 && (
        <FactRows
          rows={use.map(({ holder, objects, bytes: size }) => [
            capitalize(translateMessage(STORAGE_HOLDER_LABELS[holder])),
            plural(objects, '{size} in {count} object', '{size} in {count} objects', {
              size: formatBytes(size),
            }),
          ])}
        />
      )}
      <p class="mt-2 text-13 text-soft">
        {use.length > 0
          ? rich('Measured {when}', { when })
          : rich('Nothing was stored when it was last measured, {when}.', { when })}
      </p>
    </>
  )
}

function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}
