import { PageHeader } from '../../ui/page.tsx'

export function AgentJobPage() {
  return <PageHeader title="Agent job" />
}
