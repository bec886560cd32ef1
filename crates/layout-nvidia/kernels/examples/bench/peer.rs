//! PyTorch beside a kernel.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::Outcome;

/// PyTorch in a process of its own: it receives a shape, and then requests to time a round.
pub struct Peer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// What it runs, behind a script that defines `setup`: from the words behind `shape` it makes the
/// calls by their names. A line `shape ..` is answered by the names of those that run, the default
/// with the kernel that it means; a line `round i` by the milliseconds of one call of the i-th.
const ANSWER: &str = r#"
import contextlib, sys, torch
from torch.nn.functional import scaled_dot_product_attention as attention
from torch.nn.attention import SDPBackend, sdpa_kernel
backends = {'default': None, 'flash': SDPBackend.FLASH_ATTENTION, 'cudnn': SDPBackend.CUDNN_ATTENTION}
def by(backend, call):
    def there():
        with sdpa_kernel(backend) if backend else contextlib.nullcontext(): call()
    return there
def milliseconds(call, count):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(count): call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / count
def kernel(call):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA], acc_events=True) as profile:
        call()
        torch.cuda.synchronize()
    names = ' '.join(event.key for event in profile.key_averages()).lower()
    return next((name for name in ('cudnn', 'flash', 'fmha') if name in names), 'other')
calls = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'shape':
        calls, names = [], []
        for name, call in setup(*rest):
            try:
                for _ in range(3): call()
                torch.cuda.synchronize()
            except RuntimeError:
                continue
            count = min(max(int(5 / milliseconds(call, 3)), 1), 100)
            calls.append((call, count))
            names.append('PyTorch-' + name + ('=' + kernel(call) if name == 'default' else ''))
        print(*names, flush=True)
    else:
        print(milliseconds(*calls[int(rest[0])]), flush=True)
"#;
impl Peer {
    /// If there is a Python with PyTorch. `setup` defines a function of that name.
    pub fn start(setup: &str) -> Option<Self> {
        let ready =
            Command::new("python3").args(["-c", "import torch; torch.zeros(1).cuda()"]).status();
        if !ready.is_ok_and(|status| status.success()) {
            println!("there is no PyTorch here: nothing to compare with");
            return None;
        }
        let mut child = Command::new("python3")
            .args(["-u", "-c", &format!("{setup}{ANSWER}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (to, from) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Peer { child, to, from })
    }
    fn ask(&mut self, line: &str) -> Outcome<String> {
        writeln!(self.to, "{line}")?;
        self.to.flush()?;
        let mut answer = String::new();
        self.from.read_line(&mut answer)?;
        if answer.is_empty() { Err("PyTorch has ended".into()) } else { Ok(answer) }
    }
    pub fn shape(&mut self, shape: &str) -> Outcome<Vec<String>> {
        Ok(self.ask(&format!("shape {shape}"))?.split_whitespace().map(String::from).collect())
    }
    pub fn round(&mut self, i: usize) -> Outcome<f64> {
        Ok(self.ask(&format!("round {i}"))?.trim().parse()?)
    }
}
impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
