import type {
  InstanceSignIn,
  ProviderConnectionTest,
} from '../../../../../src/features/accounts/operations/sign-in-settings.ts'
import { useSession } from '../../app/session.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { FindingLines } from '../finding-lines.tsx'
import { ROLE_NAMES } from '../organization/role-labels.ts'
import type { ProviderDraft } from './provider-draft.ts'

const JOINING_ROLES = ['viewer', 'editor', 'admin'] as const satisfies readonly ProviderDraft['role'][]
const EXAMPLE_ISSUER = 'https://login.example.com/realms/docs'
const EXAMPLE_DOMAIN = 'example.com'

interface FieldsProps {
  place: Pick<InstanceSignIn, 'redirectUrl' | 'secret'>
  draft: ProviderDraft
  faults: Partial<Record<string, string>>
  /** Its users join this organization only. */
  isOfOrganization?: boolean
  onChange: (change: Partial<ProviderDraft>) => void
}

/** Address of the provider and Octavo's client credentials. */
export function ProviderFields({ place, draft, faults, isOfOrganization = false, onChange }: FieldsProps) {
  return (
    <>
      <div class="mb-4">
        <p class="mb-1.5 text-13 font-medium">{t('Redirect address')}</p>
        <CopyField text={place.redirectUrl} label={t('Redirect address')} />
        <p class="mt-1.5 text-13 text-soft">{t('Register it at the provider, as it stands.')}</p>
      </div>
      <TextField
        label={t('Issuer')}
        error={faults.issuer}
        hint={t(
          'The part before /.well-known/openid-configuration. It may lead into the server’s own network.',
        )}
        isMono
        type="url"
        maxLength={500}
        placeholder={EXAMPLE_ISSUER}
        value={draft.issuer}
        onText={(issuer) => onChange({ issuer })}
      />
      <TextField
        label={t('Client id')}
        error={faults.clientId}
        isMono
        autocomplete="off"
        maxLength={500}
        value={draft.clientId}
        onText={(clientId) => onChange({ clientId })}
      />
      <TextField
        label={t('Client secret')}
        isOptional={place.secret !== null}
        error={faults.secret}
        hint={<SecretHint secret={place.secret} />}
        type="password"
        isMono
        maxLength={4000}
        autocomplete="off"
        value={draft.secret}
        onText={(secret) => onChange({ secret })}
      />
      <TextField
        label={t('Button')}
        error={faults.name}
        hint={t('“Continue with …”, on the sign-in page.')}
        maxLength={60}
        autocomplete="off"
        value={draft.name}
        onText={(name) => onChange({ name })}
      />
      <JoiningFields {...{ draft, faults, isOfOrganization, onChange }} />
      <TrustFields draft={draft} onChange={onChange} />
    </>
  )
}

function SecretHint({ secret }: { secret: InstanceSignIn['secret'] }) {
  if (secret === null) return <>{t('Stored encrypted, sent to the provider only, and never shown again.')}</>
  return (
    <>
      <StoredSecret stored={secret} />{' '}
      {t('Leave this empty to keep it; for another issuer it has to be entered again.')}
    </>
  )
}

function StoredSecret({ stored: { lastFour, setAt } }: { stored: NonNullable<InstanceSignIn['secret']> }) {
  const when = setAt === null ? null : <RelativeTime at={setAt} />
  if (lastFour === null)
    return <>{when === null ? t('A secret is stored.') : rich('A secret is stored, set {when}.', { when })}</>
  return (
    <>
      {when === null
        ? t('A secret that ends in {ending} is stored.', { ending: lastFour })
        : rich('A secret that ends in {ending} is stored, set {when}.', { ending: lastFour, when })}
    </>
  )
}

/** Domains that may join without an invitation, and their role. */
function JoiningFields({ draft, faults, isOfOrganization, onChange }: Omit<FieldsProps, 'place'>) {
  const { organizations } = useSession()
  const isOpen = draft.domains.trim() !== ''
  return (
    <>
      <TextField
        label={isOfOrganization ? t('Domains') : t('Domains that join without an invitation')}
        isOptional={!isOfOrganization}
        error={faults.domains}
        hint={
          isOfOrganization
            ? t('Domains of e-mail addresses, separated by commas. Nobody else comes by this provider.')
            : t('Domains of e-mail addresses, separated by commas. Everybody else needs an invitation.')
        }
        autocomplete="off"
        placeholder={EXAMPLE_DOMAIN}
        value={draft.domains}
        onText={(domains) => onChange({ domains })}
      />
      {isOpen && (
        <div class="grid gap-x-4 sm:grid-cols-2">
          {!isOfOrganization && (
            <Field label={t('They join')} error={faults.organizationId}>
              {(field) => (
                <Select
                  {...field}
                  isFluid
                  value={draft.organizationId}
                  options={[
                    { value: '', label: t('The oldest organization') },
                    ...organizations.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                  onChange={(organizationId) => onChange({ organizationId })}
                />
              )}
            </Field>
          )}
          <Field label={t('As', { context: 'role' })} error={faults.role}>
            {(field) => (
              <Select
                {...field}
                isFluid
                value={draft.role}
                options={JOINING_ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }))}
                onChange={(role) => onChange({ role: role as ProviderDraft['role'] })}
              />
            )}
          </Field>
        </div>
      )}
    </>
  )
}

/** Claims of the provider that Octavo relies on. */
function TrustFields({ draft, onChange }: Pick<FieldsProps, 'draft' | 'onChange'>) {
  return (
    <>
      {draft.domains.trim() !== '' && (
        <Switch
          label={t('Addresses of these domains are verified')}
          about={t('For a provider that never says so (email_verified). Others are refused.')}
          isOn={draft.vouchesForDomains}
          onChange={(vouchesForDomains) => onChange({ vouchesForDomains })}
        />
      )}
      <Switch
        label={t('The provider asks for a second factor')}
        about={t('Codes of the account are not asked for then.')}
        isOn={draft.asksSecondFactor}
        onChange={(asksSecondFactor) => onChange({ asksSecondFactor })}
      />
    </>
  )
}

/** Results of testing the provider. */
export function TrialFindings({ trial: { faults, notes } }: { trial: ProviderConnectionTest }) {
  return (
    <ul>
      {[...faults, ...notes].map((finding) => (
        <li key={finding.sentence}>
          <FindingLines {...finding} />
        </li>
      ))}
    </ul>
  )
}
