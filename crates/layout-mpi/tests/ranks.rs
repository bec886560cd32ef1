//! What ranks do together, under `mpirun`: every test with 1, 2, 3, 4, 6 and 8 ranks, each run with
//! a limit of time.
//!
//! Started by `cargo test`, this program starts itself under `mpirun`; started there, it is one of
//! the ranks. What a message of more than 2^31 bytes does takes 4 GiB of memory, and is asked for:
//! `cargo test --release -- long`.

use std::io::Read;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

// The same draws as those of the plans on paper.
#[path = "../../layout-mesh/tests/draws/mod.rs"]
mod draws;
mod ranks_tests;

/// How long a run may take: many times what it takes on two cores that others use too.
const LIMIT: Duration = Duration::from_secs(180);

fn main() -> ExitCode {
    if std::env::var_os("OMPI_COMM_WORLD_SIZE").is_some() {
        return ranks_tests::rank();
    }
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let mut failed = 0;
    let long = wanted == ["long"];
    for &ranks in if long { &[2][..] } else { &[1, 2, 3, 4, 6, 8] } {
        let all = (!long).then(|| "all".to_string());
        let arguments: Vec<String> = all.into_iter().chain(wanted.iter().cloned()).collect();
        failed += usize::from(!run(ranks, &arguments, |end| end.success && !end.late));
    }
    if wanted.is_empty() {
        let fails = |text: &'static str| {
            move |end: &End| !end.success && !end.late && end.text.contains(text)
        };
        let arguments = |name: &str| vec!["fault".to_string(), name.to_string()];
        // Each message names the rank at fault: ours, and those of mpirun, which writes
        // [[job,1],rank] if it exits.
        failed += usize::from(!run(3, &arguments("panics"), fails("rank 1 of 3 panicked")));
        failed += usize::from(!run(3, &arguments("exits"), fails(",1],1]")));
        failed += usize::from(!run(3, &arguments("is killed"), fails("rank 1")));
        // MPI's own words travel through mpirun, which loses them at times
        // (`Data unpack would read past end of buffer in file show_help.c`): what counts is that
        // the program ends in the receive.
        failed += usize::from(!run(2, &arguments("truncates"), |end| {
            let words = !end.text.contains("MPI_ERR") || end.text.contains("MPI_ERR_TRUNCATE");
            !end.success
                && !end.late
                && words
                && !end.text.contains(ranks_tests::TOOK_A_LONGER_MESSAGE)
        }));
        // Rank 1 goes wrong in four ways, while the others are in what takes all ranks: they end,
        // and say why.
        let error = "there is no file \"input\"";
        for others in ["gather", "run", "plan", "share", "group"] {
            for (way, heard) in [
                ("returns", "of 3: the ranks are out of step: "),
                ("agrees", "rank 1 has an error in the program: there is no file"),
                ("aborts", "rank 1 of 3 has an error, and the program ends on all ranks: "),
                ("panics", "of 3: the ranks are out of step: "),
            ] {
                let arguments = ["alone", way, others].map(String::from);
                failed += usize::from(!run(3, &arguments, |end| {
                    !end.success
                        && !end.late
                        && end.text.contains(error)
                        && end.text.contains(heard)
                }));
            }
        }
        let arguments = ["alone", "aborts", "receive"].map(String::from);
        failed += usize::from(!run(2, &arguments, |end| {
            !end.success && !end.late && end.text.contains(error)
        }));
        for ranks in [1, 3] {
            let arguments = ["outlives".to_string()];
            let there = |end: &End| {
                end.success && !end.late && end.text.matches("still there").count() == ranks
            };
            failed += usize::from(!run(ranks, &arguments, there));
        }
    }
    println!("{failed} runs failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How a run ended.
struct End {
    success: bool,
    late: bool,
    text: String,
}

/// Runs this program on some ranks, and says whether it ended as it should.
fn run(ranks: usize, arguments: &[String], right: impl Fn(&End) -> bool) -> bool {
    let start = Instant::now();
    let this = std::env::current_exe().expect("this program");
    let mut child = Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()])
        // What a rank says of its end is printed as it is: put together with those of others, it is
        // lost at times.
        .args(["--mca", "orte_base_help_aggregate", "0"])
        .arg(this)
        .args(arguments)
        .env("RUST_BACKTRACE", "0")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mpirun (Debian: openmpi-bin)");
    let (mut out, mut error) =
        (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let read_out = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text).unwrap_or_default()
    });
    let read_error = std::thread::spawn(move || {
        let mut text = String::new();
        error.read_to_string(&mut text).map(|_| text).unwrap_or_default()
    });
    let (status, late) = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break (status, false),
            None if start.elapsed() > LIMIT => {
                child.kill().expect("a child");
                break (child.wait().expect("a child"), true);
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let text = read_out.join().unwrap_or_default() + &read_error.join().unwrap_or_default();
    let end = End { success: status.success(), late, text };
    let is_right = right(&end);
    let seconds = start.elapsed().as_secs_f64();
    let verdict = if is_right { "ok" } else { "FAILED" };
    println!("{ranks} ranks, {}: {verdict} ({seconds:.1} s)", arguments.join(" "));
    if !is_right {
        println!("{}{}", if end.late { "it did not end\n" } else { "" }, end.text);
    }
    is_right
}
