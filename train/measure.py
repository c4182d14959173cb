"""How good a judge is on pairs that it did not learn from."""
import torch
from model import ANSWERS, ASKS, BESIDE, KEEP, KIND, SAME, said


def auroc(scores, labels):
    """How often a true one stands above a false one; equal scores count half."""
    order = torch.tensor(scores).argsort().argsort().float() + 1
    yes = torch.tensor([bool(label) for label in labels])
    n, m = int(yes.sum()), int((~yes).sum())
    return float((order[yes].sum() - n * (n + 1) / 2) / max(1, n * m))


def measure(judge, tokenizer, pairs, say=print):
    for source in dict.fromkeys((pair.source.rsplit("-", 1)[0] if pair.source[-2:].isdigit() else pair.source, pair.task) for pair in pairs):
        some = [p for p in pairs if p.source.startswith(source[0]) and p.task == source[1]]
        out = said(judge, tokenizer, [(p.first, p.second) for p in some])
        labels = [p.label for p in some]
        if source[1] in ("relation", "kind"):
            begin, end = (SAME, BESIDE + 1) if source[1] == "relation" else (KIND, out.shape[1])
            got = out[:, begin:end].argmax(1).tolist()
            right = sum(a == b for a, b in zip(got, labels)) / len(labels)
            parts = [f"right {right:.3f}"]
            if source[1] == "relation":
                for c, name in ((0, "same"), (1, "renews"), (2, "beside")):
                    hit = sum(a == b == c for a, b in zip(got, labels))
                    parts.append(f"{name} P {hit / max(1, got.count(c)):.2f} R {hit / max(1, labels.count(c)):.2f}")
        else:
            at = {"answers": ANSWERS, "keep": KEEP, "asks": ASKS}[source[1]]
            scores = out[:, at].tolist()
            right = sum((s > 0) == bool(label) for s, label in zip(scores, labels)) / len(labels)
            parts = [f"right {right:.3f}", f"AUROC {auroc(scores, labels):.3f}"]
        say(f"    {source[0]} {source[1]} {len(some)}: " + ", ".join(parts), flush=True)
