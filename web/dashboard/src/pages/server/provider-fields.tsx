import type { InstanceSignIn } from '../../../../../src/contract/instance-sign-in.ts'
import { useSession } from '../../app/session.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import type { ProviderDraft } from './provider-draft.ts'

interface FieldsProps {
  signIn: InstanceSignIn
  draft: ProviderDraft
  faults: Partial<Record<string, string>>
  onChange: (change: Partial<ProviderDraft>) => void
}

/** Where the provider is, and as whom Octavo comes to it. */
export function ProviderFields({ signIn, draft, faults, onChange }: FieldsProps) {
  return (
    <>
      <div class="mb-4">
        <p class="mb-1.5 text-13 font-medium">Redirect address</p>
        <CopyField text={signIn.redirectUrl} label="Redirect address" />
        <p class="mt-1.5 text-13 text-soft">Register it at the provider, as it stands.</p>
      </div>
      <TextField
        label="Issuer"
        error={faults.issuer}
        hint="The part before /.well-known/openid-configuration. It may lead into the server’s own network."
        isMono
        type="url"
        maxLength={500}
        placeholder="https://login.example.com/realms/docs"
        value={draft.issuer}
        onText={(issuer) => onChange({ issuer })}
      />
      <TextField
        label="Client id"
        error={faults.clientId}
        isMono
        autocomplete="off"
        maxLength={500}
        value={draft.clientId}
        onText={(clientId) => onChange({ clientId })}
      />
      <TextField
        label="Client secret"
        isOptional={signIn.secret !== null}
        error={faults.secret}
        hint={<SecretHint secret={signIn.secret} />}
        type="password"
        isMono
        maxLength={4000}
        autocomplete="off"
        value={draft.secret}
        onText={(secret) => onChange({ secret })}
      />
      <TextField
        label="Button"
        error={faults.name}
        hint="“Continue with …”, on the sign-in page."
        maxLength={60}
        autocomplete="off"
        value={draft.name}
        onText={(name) => onChange({ name })}
      />
      <JoiningFields draft={draft} faults={faults} onChange={onChange} />
    </>
  )
}

function SecretHint({ secret }: { secret: InstanceSignIn['secret'] }) {
  if (secret === null) return <>Stored encrypted, sent to the provider only, and never shown again.</>
  return (
    <>
      {secret.lastFour === null ? 'A secret is stored' : `A secret that ends in ${secret.lastFour} is stored`}
      {secret.setAt !== null && (
        <>
          , set <RelativeTime at={secret.setAt} />
        </>
      )}
      . Leave this empty to keep it; for another issuer it has to be entered again.
    </>
  )
}

/** Who may come without an invitation, and as what. */
function JoiningFields({ draft, faults, onChange }: Omit<FieldsProps, 'signIn'>) {
  const { organizations } = useSession()
  const isOpen = draft.domains.trim() !== ''
  return (
    <>
      <TextField
        label="Domains that join without an invitation"
        isOptional
        error={faults.domains}
        hint="Domains of e-mail addresses, separated by commas. Everybody else needs an invitation."
        autocomplete="off"
        placeholder="example.com"
        value={draft.domains}
        onText={(domains) => onChange({ domains })}
      />
      {isOpen && (
        <div class="grid gap-x-4 sm:grid-cols-2">
          <Field label="They join" error={faults.organizationId}>
            {(field) => (
              <Select
                {...field}
                isFluid
                value={draft.organizationId}
                options={[
                  { value: '', label: 'The oldest organization' },
                  ...organizations.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onChange={(organizationId) => onChange({ organizationId })}
              />
            )}
          </Field>
          <Field label="As" error={faults.role}>
            {(field) => (
              <Select
                {...field}
                isFluid
                value={draft.role}
                options={[
                  { value: 'viewer', label: 'Viewer' },
                  { value: 'editor', label: 'Editor' },
                  { value: 'admin', label: 'Admin' },
                ]}
                onChange={(role) => onChange({ role: role as ProviderDraft['role'] })}
              />
            )}
          </Field>
        </div>
      )}
    </>
  )
}
