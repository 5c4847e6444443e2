import { PageHeader } from '../../ui/page.tsx'

export function SettingsPage() {
  return <PageHeader title="Settings" />
}
