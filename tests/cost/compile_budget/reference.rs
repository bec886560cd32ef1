// What the cost of operations is compared with: products of binary numbers by traits, in a dozen
// lines that do not change. The test adds constants that use them.

pub struct End;
pub struct Zero<T>(T);
pub struct One<T>(T);

pub trait Plus<B> {
    type Sum;
}
pub trait Times<B> {
    type Product;
}
impl Plus<End> for End {
    type Sum = End;
}
macro_rules! plus {
    ($([$($generic:ident)*] $a:ty, $b:ty => $sum:ty $(, $bound:ident: $plus:ty)*;)*) => {
        $(impl<$($generic),*> Plus<$b> for $a where $($bound: Plus<$plus>),* {
            type Sum = $sum;
        })*
    };
}
plus! {
    [A] Zero<A>, End => Zero<A>;
    [A] One<A>, End => One<A>;
    [B] End, Zero<B> => Zero<B>;
    [B] End, One<B> => One<B>;
    [A B] Zero<A>, Zero<B> => Zero<A::Sum>, A: B;
    [A B] Zero<A>, One<B> => One<A::Sum>, A: B;
    [A B] One<A>, Zero<B> => One<A::Sum>, A: B;
}
impl<A: Plus<B>, B> Plus<One<B>> for One<A>
where
    A::Sum: Plus<One<End>>,
{
    type Sum = Zero<<A::Sum as Plus<One<End>>>::Sum>;
}
impl<B> Times<B> for End {
    type Product = End;
}
impl<A: Times<B>, B> Times<B> for Zero<A> {
    type Product = Zero<A::Product>;
}
impl<A: Times<B>, B> Times<B> for One<A>
where
    Zero<A::Product>: Plus<B>,
{
    type Product = <Zero<A::Product> as Plus<B>>::Sum;
}
